/* What every page with a header loads: colours, menus, sliders, languages, local times, forms'
   tokens, forms without a connection, wrong fields, and the service worker. */

import "./form_tokens.js";
import "./offline_forms.js";
import "./theme_switch.js";
import "./site_menus.js";
import "./level_slider.js";
import "./language_switch.js";
import "./local_times.js";
import "./wrong_field.js";
import "./register_worker.js";
