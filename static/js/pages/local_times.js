/* Shows the times of this page in the reader's time zone. */

import { localise } from "../text/local_time.js";

localise();
