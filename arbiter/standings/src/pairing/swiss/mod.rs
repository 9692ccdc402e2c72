//! Swiss stages by FIDE's Dutch system: all bots play all rounds, and players of equal score meet.
//!
//! [`pair()`] gives the next round from the rounds before it. It is a pure function. It follows the
//! handbook of FIDE, C.04.3, the edition in force since 1 February 2026, with the basic rules C.04.1
//! and the general rules C.04.2 of the same date. Names of rules below, like C6 or 5.2.4, are from
//! C.04.3.
//!
//! *White* is seat 0 of a table, the bot named first. The cards do not care, because a table plays each
//! deal in all rotations, but the rules need it.
//!
//! # The rules
//!
//! Players are ranked by score, then by their number. Brackets are paired from the top: the players
//! of a score (*residents*) with the players that remained from above (*moved down*). A candidate is
//! a set of pairs of the bracket. Its other players go down to the next bracket; the last player of
//! all gets the bye. C1 to C3 allow or forbid a pair, C4 wants a pairing of all others to remain
//! possible, and C5 gives the bye to the least possible score. C6 to C21 put the candidates in an
//! order, each deciding where all before it are equal. If all are equal, the candidate counts that the
//! procedure of articles 3 and 4 makes first.
//!
//! # The method
//!
//! The procedure tries transpositions and exchanges, of which there can be very many. Here a bracket
//! is a problem of matching instead. The players that are left are the vertices of a graph, with one
//! more vertex for the bye if their number is odd. Edges are the pairs that C1, C2, C3 and C5 allow, so
//! C4 asks for a perfect matching. Each edge has a list of numbers, one for each later rule. Their sums
//! over a matching say how well it does, and are compared like words in a dictionary. Side by side in
//! one long integer, the numbers are the weight of the edge, and the matchings of greatest weight are
//! the best candidates (`matching`, `criteria`).
//!
//! The order of the procedure becomes numbers, too, and then preferences of one player after the other
//! (`order`). It has two steps, as in articles 3.3 and
//! 3.7: first, the players that moved down get opponents among the residents, or go down again; then,
//! with these pairs fixed, the remainder is paired. If no player moved down, the remainder is the
//! whole bracket.
//!
//! A homogeneous bracket of P pairs has the P players on top in S1 and the others in S2. Take a set of
//! pairs. The procedure makes it first in the candidate that has the higher player of each pair in S1.
//! For a pair within S1 or within S2 forces one exchange in any case, and moving the lower player of
//! the first and the higher player of the second keeps the difference least. So each pair alone decides
//! which of its players it moves. Article 4.3 becomes the number of moved players, the difference of
//! their numbers in the bracket, and a digit for each player. The transpositions of article 4.2 become
//! the opponent of each player of S1, from the top.
//!
//! A bot that drops out is paired no more. If its last round was being played then, its opponent has a walkover.
//! That is no bye here: if it were, a small field that many have left could not be paired. C2 gives each bot at most
//! one bye, and C9 counts byes alone, so it never decides.
//!
//! # Rounds that the rules cannot pair
//!
//! In a small field all pairings of a late round can break C3, because two bots would meet that both
//! must have the same seat. Article 1.9.3 leaves this to the arbiter. [`pair()`] then pairs without C3
//! and says so ([`AbsoluteColourRule::Waived`]). If bots would have to meet again, there is no pairing, and the
//! error says so.

mod criteria;
mod player;

pub use player::{AbsoluteColourRule, PlayedRound, PlayedTable, StageSize};

use std::cmp::Reverse;

use self::criteria::PairingBracket;
use self::player::{AllowedPairs, Player, PlayerList};
use super::matching::Graph;
use crate::Entrant;
use crate::game::{StandingsError, refused};

/// The pairs of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundPairing {
    /// The tables, those of the highest scores first; the first bot of each has seat 0.
    pub tables: Vec<[Entrant; 2]>,
    /// The bot without an opponent, which gets as many points as for a win.
    pub bye: Option<Entrant>,
    /// The rule on seats that was followed.
    pub colours: AbsoluteColourRule,
}

/// Pairs the next round of a stage.
///
/// Bots are counted from 0 in the order of their seeds, so the strongest is the first. In the first
/// round it has seat 0.
///
/// ```
/// use standings::Entrant;
/// use standings::pairing::Outcome;
/// use standings::pairing::swiss::{PlayedRound, PlayedTable, StageSize, pair};
///
/// let stage = StageSize::new(4, 3)?;
/// let first = pair(stage, &[])?;
/// assert_eq!(first.tables, [[0, 2], [3, 1]].map(|table| table.map(Entrant)));
///
/// let won = |[one, other]: [Entrant; 2]| PlayedTable { one, other, outcome: Outcome::One };
/// let tables = first.tables.iter().copied().map(won).collect();
/// let second = pair(stage, &[PlayedRound { tables, ..PlayedRound::default() }])?;
/// assert_eq!(second.tables, [[3, 0], [1, 2]].map(|table| table.map(Entrant)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`StandingsError`], where the rounds are not those of the stage, or none is left.
pub fn pair(stage: StageSize, played: &[PlayedRound]) -> Result<RoundPairing, StandingsError> {
    pair_without(stage, played, &[])
}

/// Pairs the next round of a stage as [`pair()`] does, without bots that have dropped out.
///
/// # Errors
///
/// [`StandingsError`], where the rounds are not those of the stage, or none is left.
pub fn pair_without(
    stage: StageSize,
    played: &[PlayedRound],
    absent: &[Entrant],
) -> Result<RoundPairing, StandingsError> {
    let field = PlayerList::new(stage, played)?;
    let is_there = |player: &&Player| !absent.contains(&player.entrant());
    let mut ranked: Vec<&Player> = field.players().iter().filter(is_there).collect();
    if played.is_empty() {
        return Ok(first_round(&ranked));
    }
    ranked.sort_by_key(|player| (Reverse(player.score), player.number));
    for colours in [AbsoluteColourRule::Kept, AbsoluteColourRule::Waived] {
        let allowed = AllowedPairs::new(field.players(), colours);
        let bye = bye_score(&ranked, &allowed);
        if let Some(pairing) = bye.and_then(|bye| paired(&ranked, bye, &allowed, colours)) {
            return Ok(pairing);
        }
    }
    let (round, players) = (played.len() + 1, ranked.len());
    let text = "cannot be paired without a rematch: use fewer rounds";
    Err(refused(format_args!("round {round} of {players} bots {text}")))
}

/// Returns true if a stage of this many bots has a pairing after this many rounds, whatever they were; after more
/// rounds [`pair()`] tells.
///
/// Add a bot for the bye if their number is odd. Each bot has still to meet all others but itself and one for each
/// round. As long as that is half of them, a perfect matching exists, by Dirac's theorem on Hamiltonian cycles (1952).
pub fn has_pairing(bots: usize, rounds: usize) -> bool {
    rounds < bots.div_ceil(2)
}

/// The first candidate of the only bracket, in which all criteria are met before any game.
fn first_round(players: &[&Player]) -> RoundPairing {
    let (upper, lower) = players.split_at(players.len() / 2);
    let pairs = upper.iter().zip(lower).map(|(one, other)| [*one, *other]);
    RoundPairing {
        tables: pairs.map(|pair| player::seated(pair).map(Player::entrant)).collect(),
        bye: lower.get(upper.len()).map(|player| player.entrant()),
        colours: AbsoluteColourRule::Kept,
    }
}

/// The score of the player that gets the bye, the least one possible (C5); none where no pairing of
/// all players is allowed. With an even number of players the score does not matter.
fn bye_score(ranked: &[&Player], allowed: &AllowedPairs) -> Option<u32> {
    let (bye, highest) = (ranked.len(), ranked.first()?.score);
    let mut graph = Graph::new(bye + bye % 2, 1);
    for (place, player) in ranked.iter().enumerate() {
        for (other, opponent) in ranked.iter().enumerate().skip(place + 1) {
            if allowed.contains(player, opponent) {
                graph.allow(place, other, &[0]);
            }
        }
        if !bye.is_multiple_of(2) && !player.had_bye {
            graph.allow(place, bye, &[(highest - player.score) as i32]);
        }
    }
    let mates = graph.best_matching([], bye + 1)?;
    Some(mates.get(bye).map_or(0, |assignee| ranked[*assignee].score))
}

/// The pairing of all players, bracket by bracket, where one exists.
fn paired(
    ranked: &[&Player],
    bye: u32,
    allowed: &AllowedPairs,
    colours: AbsoluteColourRule,
) -> Option<RoundPairing> {
    let mut pairs: Vec<[&Player; 2]> = Vec::new();
    let mut moved: Vec<&Player> = Vec::new();
    let mut left: &[&Player] = ranked;
    while let Some(first) = left.first() {
        let size = left.partition_point(|player| player.score == first.score);
        let (residents, below) = left.split_at(size);
        let bracket = PairingBracket { moved: &moved, residents, below, bye, allowed };
        let candidate = criteria::first_best(&bracket)?;
        pairs.extend(candidate.pairs);
        moved = candidate.downfloaters;
        left = below;
    }
    pairs.sort_by_key(|[higher, lower]| {
        (Reverse(higher.score), Reverse(lower.score), higher.number)
    });
    Some(RoundPairing {
        tables: pairs.into_iter().map(|pair| player::seated(pair).map(Player::entrant)).collect(),
        bye: moved.first().map(|player| player.entrant()),
        colours,
    })
}
