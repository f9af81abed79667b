//! By what means the engine `fast` searches. The answer must not depend on them.

use branchwise::Solver;
use branchwise::search::Bounds;
use proptest::prelude::*;

/// Fewer bytes than most searches of these tests would use: the memo forgets all the time.
const HARDLY_A_MEMO: u64 = 4096;

/// Which bounds are used, and how many bytes the memo may hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Means {
    pub(crate) bounds: Bounds,
    pub(crate) memo: Option<u64>,
}

impl Means {
    pub(crate) fn given_to(self, solver: Solver) -> Solver {
        let solver = solver.bounds(self.bounds);
        self.memo.map_or(solver.clone(), |bytes| solver.memo_limit(bytes))
    }
}

/// Every subset of the bounds, now and then with hardly a memo.
pub(crate) fn any_means() -> impl Strategy<Value = Means> {
    let bounds = any::<[bool; 6]>().prop_map(
        |[look_ahead, two_splits, equivalent_points, monotone, remainder, similar]| Bounds {
            look_ahead,
            two_splits,
            equivalent_points,
            monotone,
            remainder,
            similar,
        },
    );
    (bounds, prop::option::weighted(0.4, Just(HARDLY_A_MEMO)))
        .prop_map(|(bounds, memo)| Means { bounds, memo })
}
