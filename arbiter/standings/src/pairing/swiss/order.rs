//! The candidate that counts: the best one, and of equal ones the first in the order of articles 3
//! and 4.

use super::criteria::{Bracket, Edge, Field, Vertex, VertexPart};
use super::player::Player;
use crate::pairing::matching::{Graph, Preference};

/// Pairs of a bracket, and the players that are left.
#[derive(Debug)]
pub(super) struct BracketPairing<'a> {
    /// The player of higher rank is first.
    pub(super) pairs: Vec<[&'a Player; 2]>,
    /// By rank.
    pub(super) downfloaters: Vec<&'a Player>,
}

/// The first of the best candidates of a bracket; none where the players that are left cannot be
/// paired.
pub(super) fn first_best<'a>(bracket: &Bracket<'_, 'a>) -> Option<BracketPairing<'a>> {
    let step = MatchingStep::new(*bracket);
    let whole = step.pairs(step.moved_down(), |_| true)?;
    let (mut pairs, within): (Vec<_>, Vec<_>) =
        whole.into_iter().partition(|edge| edge.higher.part == VertexPart::Moved);

    // The players that moved down have their opponents; the remainder is paired by itself.
    let is_paired = |player: &&Player| {
        let paired = pairs.iter().flat_map(|edge| [edge.higher.player, edge.lower.player]);
        paired.flatten().any(|other| other.number == player.number)
    };
    let limbo: Vec<&Player> = bracket.moved.iter().copied().filter(|it| !is_paired(it)).collect();
    let remainder: Vec<&Player> =
        bracket.residents.iter().copied().filter(|it| !is_paired(it)).collect();
    if !within.is_empty() {
        let step = MatchingStep::new(Bracket { moved: &limbo, residents: &remainder, ..*bracket });
        let upper = limbo.len() + within.len();
        pairs.extend(step.pairs(step.homogeneous(upper), |edge| {
            edge.higher.part != VertexPart::Moved || !edge.is_within()
        })?);
    }
    let pairs: Vec<[&Player; 2]> = pairs
        .into_iter()
        .filter_map(|edge| Some([edge.higher.player?, edge.lower.player?]))
        .collect();
    let is_left = |player: &&Player| !pairs.iter().flatten().any(|it| it.number == player.number);
    let all = bracket.moved.iter().chain(bracket.residents).copied();
    Some(BracketPairing { downfloaters: all.filter(is_left).collect(), pairs })
}

/// A problem of matching within a bracket.
struct MatchingStep<'s, 'a> {
    bracket: Bracket<'s, 'a>,
    vertices: Vec<Vertex<'a>>,
}

/// What the pair of a vertex should be: that with the greatest number.
struct WantedMate<'s> {
    place: usize,
    number: Field<'s>,
}

/// The order of equally good candidates: sums of numbers, then one choice after the other.
struct Order<'s> {
    fields: Vec<Field<'s>>,
    choices: Vec<WantedMate<'s>>,
    /// The first vertex whose pairs do not matter after that.
    others: usize,
}

impl<'s, 'a> MatchingStep<'s, 'a> {
    fn new(bracket: Bracket<'s, 'a>) -> MatchingStep<'s, 'a> {
        MatchingStep { bracket, vertices: bracket.vertices() }
    }

    /// The pairs of the bracket in the best matching by the criteria, and after them by an order.
    fn pairs<'o>(
        &'o self,
        order: Order<'o>,
        may: impl Fn(&Edge<'_>) -> bool,
    ) -> Option<Vec<Edge<'a>>> {
        let mut fields = self.bracket.criteria();
        fields.extend(order.fields);
        let mut graph = Graph::new(self.vertices.len(), fields.len());
        let mut numbers = vec![0; fields.len()];
        for edge in self.edges().filter(|edge| self.bracket.allows(edge) && may(edge)) {
            numbers.fill(0);
            // All fields of pairs that are further below are 0.
            if edge.higher.part <= VertexPart::Resident || edge.lower.part <= VertexPart::Next {
                let of_fields = fields.iter().map(|field| field(&edge));
                numbers.iter_mut().zip(of_fields).for_each(|(number, of_field)| *number = of_field);
            }
            graph.allow(edge.higher.place, edge.lower.place, &numbers);
        }
        let mates = graph.best_matching(
            order.choices.into_iter().map(|choice| self.preference(choice)),
            order.others,
        )?;
        let is_matched = |edge: &Edge<'_>| mates[edge.higher.place] == edge.lower.place;
        Some(self.edges().filter(|edge| edge.is_within() && is_matched(edge)).collect())
    }

    fn preference<'o>(&'o self, choice: WantedMate<'o>) -> Preference<'o> {
        Preference {
            vertex: choice.place,
            number: Box::new(move |other| {
                let [higher, lower] = [choice.place.min(other), choice.place.max(other)];
                let [higher, lower] = [higher, lower].map(|place| self.vertices[place]);
                (choice.number)(&Edge { higher, lower })
            }),
        }
    }

    fn edges(&self) -> impl Iterator<Item = Edge<'a>> + '_ {
        let below = |higher: Vertex<'_>| self.vertices[higher.place + 1..].iter();
        self.vertices.iter().flat_map(move |higher| {
            below(*higher).map(move |lower| Edge { higher: *higher, lower: *lower })
        })
    }

    /// The order of the players that moved down: which of them are paired (4.4), and the opponents
    /// of each from the top (4.2).
    fn moved_down(&self) -> Order<'_> {
        let moved = 0..self.bracket.moved.len();
        let is_paired = |place: usize| WantedMate {
            place,
            number: Box::new(move |edge| i32::from(edge.is_within() && edge.higher.place == place)),
        };
        let opponents = moved.clone().map(|place| self.opponent(place));
        let choices = moved.map(is_paired).chain(opponents).collect();
        Order { fields: Vec::new(), choices, others: self.vertices.len() }
    }

    /// The order of the residents, where those before this place are S1: exchanges (4.3), then
    /// transpositions (4.2).
    fn homogeneous(&self, upper: usize) -> Order<'_> {
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
        let fields: Vec<Field<'_>> = vec![
            // The fewest players change their group: as many enter S1 as leave it.
            Box::new(move |edge| {
                -i32::from(leaves(edge).is_some()) - i32::from(enters(edge).is_some())
            }),
            // The least difference: high numbers leave S1, low numbers enter it.
            Box::new(move |edge| {
                let low = enters(edge).map_or(0, |place| all - place);
                (leaves(edge).unwrap_or(0) + low) as i32
            }),
        ];
        let leaves_it = |place| WantedMate {
            place,
            number: Box::new(move |edge| i32::from(leaves(edge) == Some(place))),
        };
        let enters_it = |place| WantedMate {
            place,
            number: Box::new(move |edge| i32::from(enters(edge) == Some(place))),
        };
        let out = (first..upper).rev().map(leaves_it);
        let into = (upper..residents.end).map(enters_it);
        let others = residents.end;
        let opponents = residents.map(|place| self.opponent(place));
        Order { fields, others, choices: out.chain(into).chain(opponents).collect() }
    }

    /// The lower the number of the opponent of this player in S1, the better.
    fn opponent(&self, place: usize) -> WantedMate<'_> {
        let all = self.vertices.len();
        let number = move |edge: &Edge<'_>| {
            let is_there = edge.is_within() && edge.higher.place == place;
            if is_there { (all - edge.lower.place) as i32 } else { 0 }
        };
        WantedMate { place, number: Box::new(number) }
    }
}
