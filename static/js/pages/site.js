/* What every page with a header loads: colours, menus, sliders, local times, and the service worker. */

import "./theme_switch.js";
import "./site_menus.js";
import "./level_slider.js";
import "./local_times.js";
import "./register_worker.js";
