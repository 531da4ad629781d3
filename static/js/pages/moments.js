/* Moments on this page, in the zone of who reads it. */

import { localise } from "../moments.js";

localise();
