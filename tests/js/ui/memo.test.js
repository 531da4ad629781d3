import assert from "node:assert/strict";
import { test } from "node:test";
import { later, memo } from "../../../static/js/ui/memo.js";
import { fakeFrames } from "../support.js";

const frames = fakeFrames();

const values = ({ score }) => [score];

/** A component as preact keeps it, whose redraws are counted. */
function mounted(part) {
  const self = {
    props: { score: 0 },
    redrawn: 0,
    forceUpdate() {
      self.redrawn += 1;
    },
    /** Give it new properties, as preact does; return whether it is redrawn at once. */
    give(props) {
      const now = self.shouldComponentUpdate(props);
      self.props = props;
      return now;
    },
  };
  part.call(self, self.props);
  return self;
}

test("a memoised component is redrawn at once, if a value has changed", () => {
  const self = mounted(memo(values, () => null));
  assert.equal(self.give({ score: 0 }), false);
  assert.equal(self.give({ score: 2 }), true);
});

test("a later component is redrawn once, in the next frame, with the newest values", () => {
  const self = mounted(later(values, () => null));
  assert.equal(self.give({ score: 0 }), false);
  assert.equal(frames.length, 0);
  assert.equal(self.give({ score: 2 }), false);
  assert.equal(self.give({ score: 4 }), false);
  assert.equal(self.redrawn, 0);
  assert.equal(frames.length, 1);
  frames[0]();
  assert.equal(self.redrawn, 1);
  assert.equal(self.give({ score: 6 }), false);
  assert.equal(frames.length, 2);
});
