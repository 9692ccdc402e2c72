//! What the rounds so far say about each player: its score, its colours and which it prefers (1.6, 1.7, 5.2).

use crate::Entrant;
use crate::game::{StandingsError, refused};
use crate::pairing::Outcome;

/// A player before the round that is paired.
#[derive(Debug, Clone, Default)]
pub(super) struct Player {
    /// Its pairing number, from 0.
    pub(super) number: usize,
    /// In half points.
    pub(super) score: u32,
    /// Its colours in the games that it played.
    pub(super) colours: Vec<Colour>,
    pub(super) had_bye: bool,
    /// Its floats, one for each round so far.
    floats: Vec<Option<Float>>,
    /// Its opponents by their numbers.
    opponents: Vec<usize>,
    /// It has more than half of the possible points before the final round (1.8).
    is_topscorer: bool,
    /// What it prefers next, once all rounds are there.
    preference: Option<ColourPreference>,
}

/// How a player's opponent of a round differed in score (1.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float {
    /// The opponent had less, or there was none.
    Down,
    /// The opponent had more.
    Up,
}

impl Player {
    pub(super) fn entrant(&self) -> Entrant {
        Entrant(self.number)
    }

    /// Its float some rounds ago, where the last round is one round ago.
    pub(super) fn float(&self, ago: usize) -> Option<Float> {
        let round = self.floats.len().checked_sub(ago)?;
        self.floats.get(round).copied().flatten()
    }

    /// Games with white minus games with black.
    pub(super) fn colour_difference(&self) -> isize {
        difference(&self.colours)
    }

    /// The colour of its last two games, if it was the same.
    pub(super) fn repeated(&self) -> Option<Colour> {
        repeated(&self.colours)
    }

    /// What it prefers, and how strongly.
    pub(super) fn preference(&self) -> Option<ColourPreference> {
        self.preference
    }

    /// Returns true where C1 and C3 let two players meet.
    fn may_meet(&self, other: &Player, colours: AbsoluteColourRule) -> bool {
        let is_absolute = |preference: &ColourPreference| preference.is_absolute();
        let wants = |player: &Player| player.preference.filter(is_absolute).map(|it| it.colour);
        let same = wants(self).is_some() && wants(self) == wants(other);
        let is_free =
            colours == AbsoluteColourRule::Waived || self.is_topscorer || other.is_topscorer;
        (is_free || !same) && !self.opponents.contains(&other.number)
    }
}

/// Who may meet whom by C1 and C3.
#[derive(Debug)]
pub(super) struct AllowedPairs {
    players: usize,
    /// By the numbers of two players.
    pairs: Vec<bool>,
}

impl AllowedPairs {
    /// Finds out for every two of these players, which are in the order of their numbers.
    pub(super) fn new(players: &[Player], colours: AbsoluteColourRule) -> AllowedPairs {
        let pairs = players
            .iter()
            .flat_map(|one| players.iter().map(move |other| one.may_meet(other, colours)));
        AllowedPairs { players: players.len(), pairs: pairs.collect() }
    }

    pub(super) fn contains(&self, one: &Player, other: &Player) -> bool {
        self.pairs[one.number * self.players + other.number]
    }
}

/// The players of a stage, by their numbers.
#[derive(Debug)]
pub(super) struct PlayerList(Vec<Player>);

impl PlayerList {
    /// The field after these rounds.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], where the rounds do not fit the stage.
    pub(super) fn new(
        stage: StageSize,
        played: &[PlayedRound],
    ) -> Result<PlayerList, StandingsError> {
        let round = played.len() + 1;
        if round > stage.rounds() {
            let rounds = stage.rounds();
            let text = format_args!(
                "round {round} of a stage of {rounds} rounds, expected one that is in it"
            );
            return Err(refused(text));
        }
        let player = |number| Player { number, ..Player::default() };
        let mut field = PlayerList((0..stage.players()).map(player).collect());
        for (number, round) in played.iter().enumerate() {
            field.check(number + 1, round)?;
            field.add(round);
        }
        if round == stage.rounds() {
            let most = u32::try_from(played.len()).unwrap_or(u32::MAX).saturating_mul(Outcome::WIN);
            field.0.iter_mut().for_each(|it| it.is_topscorer = it.score > most / 2);
        }
        field
            .0
            .iter_mut()
            .for_each(|player| player.preference = ColourPreference::after(&player.colours));
        Ok(field)
    }

    pub(super) fn players(&self) -> &[Player] {
        &self.0
    }

    /// Checks that every player is in the round once.
    fn check(&self, number: usize, round: &PlayedRound) -> Result<(), StandingsError> {
        let players = self.0.len();
        let not_once = |bot: usize, times: usize| {
            let expected = format_args!("expected each of {players} bots once");
            refused(format_args!("bot {bot} is in round {number} {times} times, {expected}"))
        };
        let mut times = vec![0; players];
        let seated = round.tables.iter().flat_map(|table| [table.one, table.other]);
        let others = round.walkovers.iter().chain(&round.absent).copied();
        for bot in seated.chain(round.bye).chain(others) {
            *times.get_mut(bot.0).ok_or_else(|| not_once(bot.0, 1))? += 1;
        }
        match times.iter().position(|times| *times != 1) {
            Some(bot) => Err(not_once(bot, times[bot])),
            None => Ok(()),
        }
    }

    /// Adds a round that is checked.
    fn add(&mut self, round: &PlayedRound) {
        let before: Vec<u32> = self.0.iter().map(|player| player.score).collect();
        for table in &round.tables {
            let [one, other] = table.outcome.half_points();
            let sides = [
                (table.one.0, table.other.0, Colour::White, one),
                (table.other.0, table.one.0, Colour::Black, other),
            ];
            for (number, opponent, colour, points) in sides {
                let player = &mut self.0[number];
                player.score += points;
                player.colours.push(colour);
                player.opponents.push(opponent);
                player.floats.push(match before[number].cmp(&before[opponent]) {
                    std::cmp::Ordering::Greater => Some(Float::Down),
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Less => Some(Float::Up),
                });
            }
        }
        for unpaired in round.walkovers.iter().copied().chain(round.bye) {
            let player = &mut self.0[unpaired.0];
            player.score += Outcome::WIN;
            player.floats.push(Some(Float::Down));
        }
        if let Some(bye) = round.bye {
            self.0[bye.0].had_bye = true;
        }
        for absent in &round.absent {
            self.0[absent.0].floats.push(None);
        }
    }
}

/// A seat: white is seat 0, black is seat 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    White,
    Black,
}

/// What a player should get next; players without a game prefer nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ColourPreference {
    pub(super) colour: Colour,
    pub(super) strength: PreferenceStrength,
}

/// How strongly a player prefers its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PreferenceStrength {
    Mild,
    Strong,
    Absolute,
}

impl Colour {
    fn opposite(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

impl ColourPreference {
    /// What a player prefers after games with these colours.
    pub(super) fn after(colours: &[Colour]) -> Option<ColourPreference> {
        let last = *colours.last()?;
        let difference = difference(colours);
        let less_played = if difference > 0 { Colour::Black } else { Colour::White };
        let (colour, strength) = match (difference.abs(), repeated(colours)) {
            (2.., _) => (less_played, PreferenceStrength::Absolute),
            (_, Some(repeated)) => (repeated.opposite(), PreferenceStrength::Absolute),
            (1, None) => (less_played, PreferenceStrength::Strong),
            _ => (last.opposite(), PreferenceStrength::Mild),
        };
        Some(ColourPreference { colour, strength })
    }

    fn is_absolute(&self) -> bool {
        self.strength == PreferenceStrength::Absolute
    }

    pub(super) fn is_mild(&self) -> bool {
        self.strength == PreferenceStrength::Mild
    }
}

/// Games with white minus games with black.
pub(super) fn difference(colours: &[Colour]) -> isize {
    colours.iter().map(|colour| if *colour == Colour::White { 1 } else { -1 }).sum()
}

/// The colour of the last two games, if it was the same.
pub(super) fn repeated(colours: &[Colour]) -> Option<Colour> {
    match colours {
        [.., one, other] if one == other => Some(*one),
        _ => None,
    }
}

/// The pair with white first. It comes with the player of the higher rank first.
pub(super) fn seated([higher, lower]: [&Player; 2]) -> [&Player; 2] {
    match colour_of_higher(higher, lower) {
        Colour::White => [higher, lower],
        Colour::Black => [lower, higher],
    }
}

fn colour_of_higher(higher: &Player, lower: &Player) -> Colour {
    let initial = if higher.number.is_multiple_of(2) { Colour::White } else { Colour::Black };
    let (one, other) = match (higher.preference(), lower.preference()) {
        (Some(one), Some(other)) => (one, other),
        (Some(only), None) => return only.colour,
        (None, Some(only)) => return only.colour.opposite(),
        (None, None) => return initial,
    };
    if one.colour != other.colour {
        return one.colour;
    }
    // Where both are absolute, the wider difference is the stronger one.
    let width = |player: &Player, it: ColourPreference| {
        if it.is_absolute() { player.colour_difference().abs() } else { 0 }
    };
    let strengths = ((one.strength, width(higher, one)), (other.strength, width(lower, other)));
    match strengths.0.cmp(&strengths.1) {
        std::cmp::Ordering::Greater => return one.colour,
        std::cmp::Ordering::Less => return other.colour.opposite(),
        std::cmp::Ordering::Equal => {}
    }
    let games = higher.colours.iter().rev().zip(lower.colours.iter().rev());
    let differing = games.into_iter().find(|(one, other)| one != other);
    differing.map_or(one.colour, |(last, _)| last.opposite())
}

/// How many bots play how many rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageSize {
    players: usize,
    rounds: usize,
}

impl StageSize {
    /// The greatest number of bots, as in a knockout.
    pub const MOST_PLAYERS: usize = 1024;

    /// A stage of this many bots and rounds.
    ///
    /// Choose far fewer rounds than bots: a knockout's number of rounds, or two or three more. In up to
    /// half as many rounds as bots, no bots have to meet again.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], where there are too few or too many of either.
    pub fn new(players: usize, rounds: usize) -> Result<StageSize, StandingsError> {
        if !(2..=StageSize::MOST_PLAYERS).contains(&players) {
            let most = StageSize::MOST_PLAYERS;
            return Err(refused(format_args!(
                "a Swiss stage needs 2 to {most} bots, not {players}"
            )));
        }
        let most = players - 1 + players % 2;
        if !(1..=most).contains(&rounds) {
            let text = format_args!("{rounds} Swiss rounds for {players} bots: at most {most}");
            return Err(refused(text));
        }
        Ok(StageSize { players, rounds })
    }

    /// Number of bots.
    pub fn players(self) -> usize {
        self.players
    }

    /// Number of rounds.
    pub fn rounds(self) -> usize {
        self.rounds
    }
}

/// A round that was played: every bot of the stage is at one table, has the bye or a walkover, or is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayedRound {
    /// The tables in any order.
    pub tables: Vec<PlayedTable>,
    /// The bot without an opponent.
    pub bye: Option<Entrant>,
    /// Bots whose opponent dropped out of this round, and which get as many points as for a win.
    pub walkovers: Vec<Entrant>,
    /// Bots that have dropped out of the stage.
    pub absent: Vec<Entrant>,
}

/// Two bots that met, and which of them did better over all games of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedTable {
    /// The bot in seat 0.
    pub one: Entrant,
    /// The bot in seat 1.
    pub other: Entrant,
    /// Which of them won.
    pub outcome: Outcome,
}

/// What a pairing does with two bots that must both have the same seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbsoluteColourRule {
    /// They do not meet, as rule C3 wants.
    Kept,
    /// They may meet, because the round cannot be paired otherwise.
    Waived,
}
