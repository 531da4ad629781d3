/* The data that the server puts before the service worker's script. */

interface ServiceWorkerGlobalScope {
  OFFLINE: {
    /** The address of the offline page. */
    page: string;
    /** The files that this page needs. */
    files: string[];
    icon: string;
  };
}
