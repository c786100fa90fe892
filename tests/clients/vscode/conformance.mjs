// The whole suite, in one process: `node conformance.mjs`. HEDDLE names the program under test.
import './lifecycle.test.mjs';
import './diagnostics.test.mjs';
import './encodings.test.mjs';
import './annotations.test.mjs';
import './pull.test.mjs';
import './workspace.test.mjs';
import './fixes.test.mjs';
import './churn.test.mjs';
import './shared.test.mjs';
import './large.test.mjs';
import './views.test.mjs';
import './replay.test.mjs';
