//! The criteria C6 to C21 as numbers of pairs.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::player::{AllowedPairs, Float, Player, seated};
use crate::pairing::matching::{Graph, Preference};

/// Players to pair, and those below them.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairingBracket<'s, 'a> {
    /// The players that remained from brackets above, by rank.
    pub(super) moved: &'s [&'a Player],
    /// The players of the bracket's own score, by rank.
    pub(super) residents: &'s [&'a Player],
    /// All players of lower scores, by rank.
    pub(super) below: &'s [&'a Player],
    /// The score of the player that gets the bye, if one does.
    pub(super) bye: u32,
    /// Who may meet whom.
    pub(super) allowed: &'s AllowedPairs,
}

/// Where a vertex belongs; these follow each other in the list of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum VertexGroup {
    /// It moved down.
    Moved,
    Resident,
    /// A resident of the next bracket.
    Next,
    /// Further below, or the bye.
    Rest,
}

/// A player as a vertex of a bracket's graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex<'a> {
    /// Its place among the vertices, which is its number in the bracket (4.1).
    pub(super) place: usize,
    pub(super) part: VertexGroup,
    /// None is the bye.
    pub(super) player: Option<&'a Player>,
}

/// Two vertices that may be a pair, the one of higher rank first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<'a> {
    pub(super) higher: Vertex<'a>,
    pub(super) lower: Vertex<'a>,
}

/// One number of each edge; matchings with a greater sum are better.
pub(super) type Field<'a> = Box<dyn Fn(&Edge<'_>) -> i32 + 'a>;

impl<'a> PairingBracket<'_, 'a> {
    /// All vertices; the bye is the last one where their number would be odd.
    pub(super) fn vertices(&self) -> Vec<Vertex<'a>> {
        let next = self.below.first().map(|player| player.score);
        let part_below = |player: &Player| {
            if Some(player.score) == next { VertexGroup::Next } else { VertexGroup::Rest }
        };
        let moved = self.moved.iter().map(|player| (VertexGroup::Moved, Some(*player)));
        let residents = self.residents.iter().map(|player| (VertexGroup::Resident, Some(*player)));
        let below = self.below.iter().map(|player| (part_below(player), Some(*player)));
        let players = self.moved.len() + self.residents.len() + self.below.len();
        let bye = (!players.is_multiple_of(2)).then_some((VertexGroup::Rest, None));
        let all = moved.chain(residents).chain(below).chain(bye).enumerate();
        all.map(|(place, (part, player))| Vertex { place, part, player }).collect()
    }

    /// Returns true where C1, C2, C3 and C5 allow a pair.
    pub(super) fn allows(&self, edge: &Edge<'_>) -> bool {
        match (edge.higher.player, edge.lower.player) {
            (Some(one), Some(other)) => self.allowed.contains(one, other),
            (Some(only), None) => !only.had_bye && only.score == self.bye,
            (None, _) => false,
        }
    }

    /// The numbers for C6 to C21, without C9, which never decides.
    pub(super) fn criteria(&self) -> Vec<Field<'static>> {
        let mut fields = FieldList(Vec::new());
        let scores = |players: &[&Player]| -> Vec<u32> {
            let scores: BTreeSet<Reverse<u32>> =
                players.iter().map(|it| Reverse(it.score)).collect();
            scores.into_iter().map(|score| score.0).collect()
        };
        let moved = scores(self.moved);
        let both = [self.moved, self.residents].concat();

        fields.count(|edge| i32::from(edge.is_within())); // C6
        for &score in &moved {
            // C7: those of the bracket's own score are the rest of the pairs.
            fields.count(move |edge| i32::from(edge.is_within()) * edge.with(score));
        }
        fields.count(|edge| i32::from(edge.is_next())); // C8 as C6
        for score in scores(&both) {
            // C8 as C7
            fields.count(move |edge| i32::from(edge.is_next()) * edge.with(score));
        }
        fields.avoid(|edge| edge.is_too_one_sided()); // C10
        fields.avoid(|edge| edge.is_a_third_time()); // C11
        fields.avoid(|edge| edge.are_preferences_equal()); // C12
        fields.avoid(|edge| edge.are_strong_preferences_equal()); // C13
        for ago in [1, 2] {
            fields.count(move |edge| edge.residents_floated_down(ago)); // C14, C16
            fields.avoid(move |edge| edge.opponent_floated_up(ago)); // C15, C17
        }
        for ago in [1, 2] {
            for &score in &moved {
                fields.count(move |edge| edge.moved_floated_down(ago, score)); // C18, C20
            }
            for &score in &moved {
                // C19, C21
                fields.avoid(move |edge| {
                    edge.opponent_floated_up(ago) && edge.higher.score() == Some(score)
                });
            }
        }
        fields.0
    }
}

impl Vertex<'_> {
    fn score(&self) -> Option<u32> {
        self.player.map(|player| player.score)
    }

    fn floated(&self, ago: usize, float: Float) -> bool {
        self.player.and_then(|player| player.float(ago)) == Some(float)
    }
}

impl<'a> Edge<'a> {
    /// Returns true for a pair of the bracket.
    pub(super) fn is_within(&self) -> bool {
        self.lower.part <= VertexGroup::Resident
    }

    /// Returns true for a pair of the next bracket.
    fn is_next(&self) -> bool {
        self.lower.part == VertexGroup::Next
    }

    /// How many of the two have this score.
    fn with(&self, score: u32) -> i32 {
        [self.higher, self.lower].iter().map(|it| i32::from(it.score() == Some(score))).sum()
    }

    fn players(&self) -> Option<[&'a Player; 2]> {
        Some([self.higher.player?, self.lower.player?])
    }

    fn are_preferences_equal(&self) -> bool {
        self.players().is_some_and(|pair| {
            let [one, other] = pair.map(|player| player.preference().map(|it| it.colour));
            one.is_some() && one == other
        })
    }

    fn are_strong_preferences_equal(&self) -> bool {
        let is_strong = |player: &Player| player.preference().is_some_and(|it| !it.is_mild());
        self.are_preferences_equal()
            && self.players().is_some_and(|pair| pair.into_iter().all(is_strong))
    }

    /// Both need the colour of which both have had two games less.
    fn is_too_one_sided(&self) -> bool {
        let is_wide = |player: &Player| player.colour_difference().abs() > 1;
        self.are_preferences_equal()
            && self.players().is_some_and(|pair| pair.into_iter().all(is_wide))
    }

    /// One of them gets a colour for the third time in a row.
    fn is_a_third_time(&self) -> bool {
        use super::player::Colour::{Black, White};

        self.players().is_some_and(|pair| {
            let [white, black] = seated(pair);
            white.repeated() == Some(White) || black.repeated() == Some(Black)
        })
    }

    /// How many residents with a downfloat some rounds ago are paired here.
    fn residents_floated_down(&self, ago: usize) -> i32 {
        let counts =
            |it: &Vertex<'_>| it.part == VertexGroup::Resident && it.floated(ago, Float::Down);
        if self.is_within() {
            [self.higher, self.lower].iter().filter(|it| counts(it)).count() as i32
        } else {
            0
        }
    }

    /// A player that moved down meets a resident with an upfloat some rounds ago.
    fn opponent_floated_up(&self, ago: usize) -> bool {
        self.higher.part == VertexGroup::Moved && self.lower.floated(ago, Float::Up)
    }

    /// Players of this score that moved down, with a downfloat some rounds ago.
    fn moved_floated_down(&self, ago: usize, score: u32) -> i32 {
        let counts = self.is_within()
            && self.higher.part == VertexGroup::Moved
            && self.higher.score() == Some(score)
            && self.higher.floated(ago, Float::Down);
        i32::from(counts)
    }
}

/// Fields that are being listed.
struct FieldList<'a>(Vec<Field<'a>>);

impl<'a> FieldList<'a> {
    fn count(&mut self, number: impl Fn(&Edge<'_>) -> i32 + 'a) {
        self.0.push(Box::new(number));
    }

    /// Pairs of the bracket should not be so.
    fn avoid(&mut self, is_so: impl Fn(&Edge<'_>) -> bool + 'a) {
        self.count(move |edge| -i32::from(edge.is_within() && is_so(edge)));
    }
}

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
pub(super) fn first_best<'a>(bracket: &PairingBracket<'_, 'a>) -> Option<BracketPairing<'a>> {
    let step = MatchingProblem::new(*bracket);
    let whole = step.pairs(step.moved_down(), |_| true)?;
    let (mut pairs, within): (Vec<_>, Vec<_>) =
        whole.into_iter().partition(|edge| edge.higher.part == VertexGroup::Moved);

    // The players that moved down have their opponents; the remainder is paired by itself.
    let is_paired = |player: &&Player| {
        let paired = pairs.iter().flat_map(|edge| [edge.higher.player, edge.lower.player]);
        paired.flatten().any(|other| other.number == player.number)
    };
    let limbo: Vec<&Player> = bracket.moved.iter().copied().filter(|it| !is_paired(it)).collect();
    let remainder: Vec<&Player> =
        bracket.residents.iter().copied().filter(|it| !is_paired(it)).collect();
    if !within.is_empty() {
        let step = MatchingProblem::new(PairingBracket {
            moved: &limbo,
            residents: &remainder,
            ..*bracket
        });
        let upper = limbo.len() + within.len();
        pairs.extend(step.pairs(step.homogeneous(upper), |edge| {
            edge.higher.part != VertexGroup::Moved || !edge.is_within()
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
struct MatchingProblem<'s, 'a> {
    bracket: PairingBracket<'s, 'a>,
    vertices: Vec<Vertex<'a>>,
}

/// What the pair of a vertex should be: that with the greatest number.
struct MatePreference<'s> {
    place: usize,
    number: Field<'s>,
}

/// The order of equally good candidates: sums of numbers, then one choice after the other.
struct CandidateOrder<'s> {
    fields: Vec<Field<'s>>,
    choices: Vec<MatePreference<'s>>,
    /// The first vertex whose pairs do not matter after that.
    others: usize,
}

impl<'s, 'a> MatchingProblem<'s, 'a> {
    fn new(bracket: PairingBracket<'s, 'a>) -> MatchingProblem<'s, 'a> {
        MatchingProblem { bracket, vertices: bracket.vertices() }
    }

    /// The pairs of the bracket in the best matching by the criteria, and after them by an order.
    fn pairs<'o>(
        &'o self,
        order: CandidateOrder<'o>,
        may: impl Fn(&Edge<'_>) -> bool,
    ) -> Option<Vec<Edge<'a>>> {
        let mut fields = self.bracket.criteria();
        fields.extend(order.fields);
        let mut graph = Graph::new(self.vertices.len(), fields.len());
        let mut numbers = vec![0; fields.len()];
        for edge in self.edges().filter(|edge| self.bracket.allows(edge) && may(edge)) {
            numbers.fill(0);
            // All fields of pairs that are further below are 0.
            if edge.higher.part <= VertexGroup::Resident || edge.lower.part <= VertexGroup::Next {
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

    fn preference<'o>(&'o self, choice: MatePreference<'o>) -> Preference<'o> {
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
    fn moved_down(&self) -> CandidateOrder<'_> {
        let moved = 0..self.bracket.moved.len();
        let is_paired = |place: usize| MatePreference {
            place,
            number: Box::new(move |edge| i32::from(edge.is_within() && edge.higher.place == place)),
        };
        let opponents = moved.clone().map(|place| self.opponent(place));
        let choices = moved.map(is_paired).chain(opponents).collect();
        CandidateOrder { fields: Vec::new(), choices, others: self.vertices.len() }
    }

    /// The order of the residents, where those before this place are S1: exchanges (4.3), then
    /// transpositions (4.2).
    fn homogeneous(&self, upper: usize) -> CandidateOrder<'_> {
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
        let leaves_it = |place| MatePreference {
            place,
            number: Box::new(move |edge| i32::from(leaves(edge) == Some(place))),
        };
        let enters_it = |place| MatePreference {
            place,
            number: Box::new(move |edge| i32::from(enters(edge) == Some(place))),
        };
        let out = (first..upper).rev().map(leaves_it);
        let into = (upper..residents.end).map(enters_it);
        let others = residents.end;
        let opponents = residents.map(|place| self.opponent(place));
        CandidateOrder { fields, others, choices: out.chain(into).chain(opponents).collect() }
    }

    /// The lower the number of the opponent of this player in S1, the better.
    fn opponent(&self, place: usize) -> MatePreference<'_> {
        let all = self.vertices.len();
        let number = move |edge: &Edge<'_>| {
            let is_there = edge.is_within() && edge.higher.place == place;
            if is_there { (all - edge.lower.place) as i32 } else { 0 }
        };
        MatePreference { place, number: Box::new(number) }
    }
}
