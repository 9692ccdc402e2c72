//! The criteria C6 to C21 as numbers of pairs.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::player::{Allowed, Float, Player, seated};

/// Players to pair, and those below them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bracket<'s, 'a> {
    /// The players that remained from brackets above, by rank.
    pub(super) moved: &'s [&'a Player],
    /// The players of the bracket's own score, by rank.
    pub(super) residents: &'s [&'a Player],
    /// All players of lower scores, by rank.
    pub(super) below: &'s [&'a Player],
    /// The score of the player that gets the bye, if one does.
    pub(super) bye: u32,
    /// Who may meet whom.
    pub(super) allowed: &'s Allowed,
}

/// Where a vertex belongs; these follow each other in the list of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum VertexPart {
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
    pub(super) part: VertexPart,
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

impl<'a> Bracket<'_, 'a> {
    /// All vertices; the bye is the last one where their number would be odd.
    pub(super) fn vertices(&self) -> Vec<Vertex<'a>> {
        let next = self.below.first().map(|player| player.score);
        let part_below = |player: &Player| {
            if Some(player.score) == next { VertexPart::Next } else { VertexPart::Rest }
        };
        let moved = self.moved.iter().map(|player| (VertexPart::Moved, Some(*player)));
        let residents = self.residents.iter().map(|player| (VertexPart::Resident, Some(*player)));
        let below = self.below.iter().map(|player| (part_below(player), Some(*player)));
        let players = self.moved.len() + self.residents.len() + self.below.len();
        let bye = (!players.is_multiple_of(2)).then_some((VertexPart::Rest, None));
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
        let mut fields = Fields(Vec::new());
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
        self.lower.part <= VertexPart::Resident
    }

    /// Returns true for a pair of the next bracket.
    fn is_next(&self) -> bool {
        self.lower.part == VertexPart::Next
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
            |it: &Vertex<'_>| it.part == VertexPart::Resident && it.floated(ago, Float::Down);
        if self.is_within() {
            [self.higher, self.lower].iter().filter(|it| counts(it)).count() as i32
        } else {
            0
        }
    }

    /// A player that moved down meets a resident with an upfloat some rounds ago.
    fn opponent_floated_up(&self, ago: usize) -> bool {
        self.higher.part == VertexPart::Moved && self.lower.floated(ago, Float::Up)
    }

    /// Players of this score that moved down, with a downfloat some rounds ago.
    fn moved_floated_down(&self, ago: usize, score: u32) -> i32 {
        let counts = self.is_within()
            && self.higher.part == VertexPart::Moved
            && self.higher.score() == Some(score)
            && self.higher.floated(ago, Float::Down);
        i32::from(counts)
    }
}

/// Fields that are being listed.
struct Fields<'a>(Vec<Field<'a>>);

impl<'a> Fields<'a> {
    fn count(&mut self, number: impl Fn(&Edge<'_>) -> i32 + 'a) {
        self.0.push(Box::new(number));
    }

    /// Pairs of the bracket should not be so.
    fn avoid(&mut self, is_so: impl Fn(&Edge<'_>) -> bool + 'a) {
        self.count(move |edge| -i32::from(edge.is_within() && is_so(edge)));
    }
}
