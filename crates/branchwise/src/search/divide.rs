//! How room is divided among children, where the size of a tree is limited.
//!
//! A split leaves some room for its children together: a number of splits or leaves. What a child is worth
//! depends on the room that it gets, and the best division is
//!
//! > max { Σ worth(child, r_child) : Σ r_child ≤ room }.
//!
//! It is found child by child, in the manner of a knapsack: room² steps for each.

use std::ops::Add;

/// The most that children are worth together, and the room that each of them gets for it.
///
/// Of what a child is worth, the first number decides and the second breaks ties; then later children
/// get less.
pub(crate) fn divide<A: Number, B: Number>(
    n_children: usize,
    room: usize,
    worth: impl Fn(usize, usize) -> (A, B),
) -> ((A, B), Vec<usize>) {
    // best[r]: the most that the children so far are worth with room r among them.
    let mut best = vec![(A::default(), B::default()); room + 1];
    let mut choices = Vec::with_capacity(n_children);
    for child in 0..n_children {
        let with = |total: usize, r: usize| {
            let (worth, others) = (worth(child, r), best[total - r]);
            (worth.0 + others.0, worth.1 + others.1)
        };
        let choose = |total: usize| {
            (1..=total).fold(0, |r, s| if with(total, s) > with(total, r) { s } else { r })
        };
        let of_child: Vec<usize> = (0..=room).map(choose).collect();
        best = of_child.iter().enumerate().map(|(total, &r)| with(total, r)).collect();
        choices.push(of_child);
    }
    let mut left = room;
    let mut given = vec![0; n_children];
    for (given, of_child) in given.iter_mut().zip(&choices).rev() {
        *given = of_child[left];
        left -= *given;
    }
    (best[room], given)
}

/// What can be added up and compared.
pub(crate) trait Number: Copy + Default + Ord + Add<Output = Self> {}

impl<N: Copy + Default + Ord + Add<Output = N>> Number for N {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_goes_where_it_is_worth_most() {
        let worth = [[1, 4, 5, 6], [0, 0, 7, 7], [2, 3, 3, 3]];
        let divided = |room| divide(3, room, |child, r| (worth[child][r], 0));
        assert_eq!(divided(0), ((3, 0), vec![0, 0, 0]));
        assert_eq!(divided(1), ((6, 0), vec![1, 0, 0]));
        assert_eq!(divided(2), ((10, 0), vec![0, 2, 0]));
        assert_eq!(divided(3), ((13, 0), vec![1, 2, 0]));
        // The second number breaks a tie.
        let by_child = divide(2, 1, |child, r| (r, child * r));
        assert_eq!(by_child, ((1, 1), vec![0, 1]));
        assert_eq!(divide(0, 3, |_, _| (0, 0)), ((0, 0), vec![]));
    }
}
