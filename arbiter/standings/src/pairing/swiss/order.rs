//! The candidate that counts: the best one, and of equal ones the first in the order of articles 3
//! and 4.

use super::criteria::{Bracket, Edge, Field, Part, Vertex};
use super::player::Player;
use crate::pairing::matching::Graph;

/// Pairs of a bracket, and the players that are left.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    /// The player of higher rank is first.
    pub(super) pairs: Vec<[&'a Player; 2]>,
    /// By rank.
    pub(super) downfloaters: Vec<&'a Player>,
}

/// The first of the best candidates of a bracket; none where the players that are left cannot be
/// paired.
pub(super) fn first_best<'a>(bracket: &Bracket<'_, 'a>) -> Option<Candidate<'a>> {
    let step = Step::new(*bracket);
    let whole = step.pairs(step.moved_down(), |_| true)?;
    let (mut pairs, within): (Vec<_>, Vec<_>) =
        whole.into_iter().partition(|edge| edge.higher.part == Part::Moved);

    // The players that moved down have their opponents; the remainder is paired by itself.
    let is_paired = |player: &&Player| {
        let paired = pairs.iter().flat_map(|edge| [edge.higher.player, edge.lower.player]);
        paired.flatten().any(|other| other.number == player.number)
    };
    let limbo: Vec<&Player> = bracket.moved.iter().copied().filter(|it| !is_paired(it)).collect();
    let remainder: Vec<&Player> =
        bracket.residents.iter().copied().filter(|it| !is_paired(it)).collect();
    if !within.is_empty() {
        let step = Step::new(Bracket { moved: &limbo, residents: &remainder, ..*bracket });
        let upper = limbo.len() + within.len();
        pairs.extend(step.pairs(step.homogeneous(upper), |edge| {
            edge.higher.part != Part::Moved || !edge.is_within()
        })?);
    }
    let pairs: Vec<[&Player; 2]> = pairs
        .into_iter()
        .filter_map(|edge| Some([edge.higher.player?, edge.lower.player?]))
        .collect();
    let is_left = |player: &&Player| !pairs.iter().flatten().any(|it| it.number == player.number);
    let all = bracket.moved.iter().chain(bracket.residents).copied();
    Some(Candidate { downfloaters: all.filter(is_left).collect(), pairs })
}

/// A problem of matching within a bracket.
struct Step<'s, 'a> {
    bracket: Bracket<'s, 'a>,
    vertices: Vec<Vertex<'a>>,
    /// Room for the number of a vertex.
    bits: u32,
}

impl<'s, 'a> Step<'s, 'a> {
    fn new(bracket: Bracket<'s, 'a>) -> Step<'s, 'a> {
        let vertices = bracket.vertices();
        let bits = usize::BITS - vertices.len().leading_zeros();
        Step { bracket, vertices, bits }
    }

    /// The pairs of the bracket in the best matching by the criteria, and after them by an order.
    fn pairs(
        &self,
        order: Vec<Field<'_>>,
        may: impl Fn(&Edge<'_>) -> bool,
    ) -> Option<Vec<Edge<'a>>> {
        let mut fields = self.bracket.criteria(self.bits);
        fields.extend(order);
        let widths = fields.iter().map(|field| field.bits).collect();
        let mut graph = Graph::new(self.vertices.len(), widths);
        for edge in self.edges().filter(|edge| self.bracket.allows(edge) && may(edge)) {
            let numbers: Vec<u64> = fields.iter().map(|field| (field.number)(&edge)).collect();
            graph.allow(edge.higher.place, edge.lower.place, &numbers);
        }
        let mates = graph.best_matching()?;
        let is_matched = |edge: &Edge<'_>| mates[edge.higher.place] == edge.lower.place;
        Some(self.edges().filter(|edge| edge.is_within() && is_matched(edge)).collect())
    }

    fn edges(&self) -> impl Iterator<Item = Edge<'a>> + '_ {
        let below = |higher: Vertex<'_>| self.vertices[higher.place + 1..].iter();
        self.vertices.iter().flat_map(move |higher| {
            below(*higher).map(move |lower| Edge { higher: *higher, lower: *lower })
        })
    }

    /// The order of the players that moved down: which of them are paired (4.4), and the opponents
    /// of each from the top (4.2).
    fn moved_down(&self) -> Vec<Field<'_>> {
        let moved = 0..self.bracket.moved.len();
        let is_paired = |place: usize| Field {
            bits: 1,
            number: Box::new(move |edge| u64::from(edge.is_within() && edge.higher.place == place)),
        };
        moved.clone().map(is_paired).chain(moved.map(|place| self.opponent(place))).collect()
    }

    /// The order of the residents, where those before this place are S1: exchanges (4.3), then
    /// transpositions (4.2).
    fn homogeneous(&self, upper: usize) -> Vec<Field<'_>> {
        let residents =
            self.bracket.moved.len()..self.bracket.moved.len() + self.bracket.residents.len();
        let (first, all) = (residents.start, self.vertices.len());
        let leaves = move |edge: &Edge<'_>| {
            let leaving = if edge.is_within() { edge.lower.place } else { edge.higher.place };
            (first..upper).contains(&leaving).then_some(leaving)
        };
        let enters = move |edge: &Edge<'_>| {
            let entering = edge.higher.place;
            (edge.is_within() && entering >= upper).then_some(entering)
        };
        let mut fields = vec![
            // The fewest players change their group.
            Field {
                bits: self.bits,
                number: Box::new(move |edge| u64::from(leaves(edge).is_none())),
            },
            // The least difference: high numbers leave S1, low numbers enter it.
            Field {
                bits: 2 * self.bits,
                number: Box::new(move |edge| {
                    let low = enters(edge).map_or(0, |place| all - place);
                    (leaves(edge).unwrap_or(0) + low) as u64
                }),
            },
        ];
        let leaves_it = |place| move |edge: &Edge<'_>| u64::from(leaves(edge) == Some(place));
        let enters_it = |place| move |edge: &Edge<'_>| u64::from(enters(edge) == Some(place));
        let out =
            (first..upper).rev().map(|place| Field { bits: 1, number: Box::new(leaves_it(place)) });
        let into = (upper..residents.end)
            .map(|place| Field { bits: 1, number: Box::new(enters_it(place)) });
        fields.extend(out);
        fields.extend(into);
        fields.extend(residents.map(|place| self.opponent(place)));
        fields
    }

    /// The lower the number of the opponent of this player in S1, the better.
    fn opponent(&self, place: usize) -> Field<'_> {
        let all = self.vertices.len();
        let number = move |edge: &Edge<'_>| {
            let is_there = edge.is_within() && edge.higher.place == place;
            if is_there { (all - edge.lower.place) as u64 } else { 0 }
        };
        Field { bits: self.bits, number: Box::new(number) }
    }
}
