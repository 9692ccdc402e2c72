//! The strongest player: chances that give little away, and choices that win more against players of
//! a style that it knows.
//!
//! # Theory of operation
//!
//! A player that always does the same in Coup is found out, and the best choice depends on what the
//! other side expects. So this player starts from chances: for every
//! [`Situation`] and every hand a [`PackedTable`] table says how
//! often to make each choice. They were learned by playing against itself, by the programs of the
//! package `research`. They are not made to beat other players, and with `--safe` it plays by them
//! alone.
//!
//! Most players are weaker than that, each in its own way. So in every game it looks for the
//! [`PlayStyle`] that explains the other seat best: the table, or a style from recorded games, of
//! `greedy`, `calculator`, `minimax --depth 1`, `challenger` or `random`. [`StyleTracker`] weighs every hand that the other seat
//! may hold under each of them, by all that it has done. The player stays with the table, unless
//! another move wins more by far in worlds drawn from that ([`WorldSearch`]).
//!
//! With `--trust` it does not search: where a style is likelier than the table, it makes the choice
//! that was learned against that [`LikelyStyle`]. The number says how likely all styles
//! together are before the game. Above about 78 a style is the likeliest from the start, so that its
//! first choices are those that do well against the five of them; with less trust it waits for evidence.
//! That wins more against the styles, and loses most to a player that learns to exploit it.
//!
//! - A situation is all that both seats know: coins, lost cards, what is to be decided, and a short
//!   [`ClaimMemory`](cards::ClaimMemory) of claims. It knows how a game goes on without any rule from
//!   elsewhere, which makes it fast to learn from. A [`Position`](position::Position) adds the
//!   hands; a test plays it beside the rules.
//! - [`ActorSituation`](read::ActorSituation) finds the situation of a request in its history.
//! - What was hardly ever met is not in the table: there it plays as it does in the mean of all
//!   memories.
//! - Habits and responses are [tables](style_tracker::StyleResponses) of rough situations, in which numbers
//!   of coins that allow the same choices are one.
//!
//! # The search
//!
//! A response to a style wins most against it, and loses most to an opponent that plays in it only
//! until it pays not to. So the table proposes a move, and every other move has to prove itself. A
//! world is a manner of the other seat, a hand that it may hold, and the luck of one game, as likely as
//! [`StyleTracker`] takes them to be. Every move is played out once in each world, with the same luck:
//! the other seat goes on in the manner of the world, the seat itself by the response to whom it
//! suspects. A move is played in place of that of the table if it leads by `CAUTION` standard errors
//! of the paired differences. Where the other seat has shown nothing, or the moves are near each other,
//! the table decides, which gives little away.
//!
//! Against a style, many moves are worth the same: one that believes every claim lets any bluff pass. So
//! `DOUBT` of the worlds always have the manner of the table, however much speaks for a style. A move
//! that wins nothing against the style and loses against everybody else no longer looks as good as
//! others.

pub mod cards;
pub(in crate::coup) mod decision;
pub mod packed;
pub mod position;
pub mod read;
pub mod situation;
pub mod style_tracker;

use std::num::NonZeroU32;

use rules::coup::{Coup, Move};
use rules::{Nature, Request};
use search::{Clock, WeightedSampler};

use crate::coup::expert::decision::{Decision, MoveResult};
use crate::coup::expert::packed::{Chances, PackedTable, UnpackedTable};
use crate::coup::expert::position::{ChanceCache, Playout};
use crate::coup::expert::read::answer;
use crate::coup::expert::situation::{Choice, Situation};
use crate::coup::expert::style_tracker::{LikelyStyle, PlayStyle, StyleResponses, StyleTracker};
use crate::coup::greedy::Greedy;
use crate::coup::minimax::belief::Weights;
use crate::coup::table::FastRng;
use crate::options::{BadOption, TimeLimit, options_in};
use crate::player::{AnyPlayer, CutOff, NoMove, Player};

/// Plays as often as a table says, by the randomness of its requests, or as it does well against
/// the style that the other seat seems to play in.
#[derive(Debug, Clone)]
pub struct Expert<'a> {
    table: PackedTable<'a>,
    punishment: Option<StyleResponses<'a>>,
}

impl<'a> Expert<'a> {
    pub fn safe(table: PackedTable<'a>) -> Expert<'a> {
        Expert { table, punishment: None }
    }

    /// The player of this table, who punishes where it can.
    pub fn punishing(table: PackedTable<'a>, punishment: StyleResponses<'a>) -> Expert<'a> {
        Expert { table, punishment: Some(punishment) }
    }

    /// The answer to the style that the other seat most likely plays in; `None` if it plays like
    /// the table.
    fn response(&self, request: &Request<Coup>) -> Option<PackedTable<'a>> {
        let punishment = self.punishment.as_ref()?;
        let manners = punishment.manners(self.table);
        let suspect = StyleTracker::new(request.heading.seat, manners)?.learn(request)?;
        punishment.response(suspect)
    }
}

fn draw(
    chances: Chances,
    situation: &Situation,
    hand: usize,
    nature: &mut Nature,
) -> Option<Choice> {
    let options = situation.choices().get(..situation.options(hand))?;
    let total: u32 = chances.iter().map(|chance| u32::from(*chance)).sum();
    let mut place = nature.below(NonZeroU32::new(total)?);
    for (choice, chance) in options.iter().zip(chances) {
        match place.checked_sub(u32::from(chance)) {
            Some(rest) => place = rest,
            None => return Some(*choice),
        }
    }
    None
}

impl Player<Coup> for Expert<'_> {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        let response = self.response(request);
        let found = answer(request, |situation, hand| {
            let chances = match response {
                Some(response) => response.chances(&situation.rough(), hand),
                None => self.table.chances(situation, hand),
            };
            draw(chances, situation, hand, &mut nature)
        });
        found.map_or_else(|| Greedy.choose(request), Ok)
    }
}

/// Standard errors by which a move must lead that of the table.
const CAUTION: f64 = 2.5;

/// Least share of the worlds in which the other seat plays by the table.
const DOUBT: f64 = 0.1;

/// Number of worlds between two looks at the clock.
const WORLDS_PER_LOOK: u32 = 8;

/// Tries every move in worlds of believed manners and hands; plays by the table where no move is better
/// by far.
#[derive(Debug, Clone)]
pub struct WorldSearch<'a> {
    table: Expert<'a>,
    manners: Vec<(PlayStyle<'a>, f64)>,
    models: PlayoutTables<'a>,
    worlds: u32,
    time: TimeLimit,
    cut: Option<CutOff>,
}

impl<'a> WorldSearch<'a> {
    pub fn new(
        table: PackedTable<'a>,
        punishment: &StyleResponses<'a>,
        worlds: u32,
        time: TimeLimit,
    ) -> WorldSearch<'a> {
        let manners = punishment.manners(table);
        let models = PlayoutTables::new(table, punishment, &manners);
        let table = Expert::safe(table);
        WorldSearch { table, manners, models, worlds, time, cut: None }
    }

    /// A move that leads that of the table by far, if there is one.
    fn better(
        &mut self,
        request: &Request<Coup>,
        drawn: &Move,
        clock: &mut dyn Clock,
    ) -> Option<Move> {
        if request.legal.len() < 2 {
            return None;
        }
        let mut suspicion = StyleTracker::new(request.heading.seat, self.manners.iter().copied())?;
        let suspect = suspicion.learn(request)?;
        let decision = Decision::read(request, drawn)?;
        if let Some(certain) = decision.certain() {
            let best = certain.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
            return best.map(|(mv, _)| mv);
        }
        let worlds = manners_and_hands(&decision, &suspicion);
        let own = request.heading.seat.index();
        let mut leads = vec![Lead::default(); decision.moves.len()];
        let mut shares = vec![0.0; decision.moves.len()];
        let mut luck = FastRng::new("expert coup ", request.heading.seed);
        let mut done = 0;
        while done < self.worlds {
            if done % WORLDS_PER_LOOK == 0 && clock.is_up() {
                self.cut = Some(CutOff { what: "worlds", number: u64::from(done) });
                break;
            }
            let mut start = luck.split();
            // One world from each of as many equal parts of what is likely.
            let point = (f64::from(done) + start.unit()) / f64::from(self.worlds);
            let &(manner, hand) = worlds.at(point * worlds.sum())?;
            for (share, (_, course)) in shares.iter_mut().zip(&decision.moves) {
                *share = match course {
                    MoveResult::Certain(share) => *share,
                    MoveResult::Choices(choices) => {
                        let mut playout = Playout::new(decision.with_hand(hand), start.clone());
                        playout.run(choices, |seat, situation, hand| match seat == own {
                            true => self.models.own_chances(suspect, situation, hand),
                            false => self.models.other_chances(manner, situation, hand),
                        });
                        playout.share(own)
                    }
                };
            }
            let base = shares[decision.played];
            leads.iter_mut().zip(&shares).for_each(|(lead, share)| lead.add(share - base));
            done += 1;
        }
        let mean = |place: &usize| leads[*place].sum;
        let best = (0..leads.len()).max_by(|one, other| mean(one).total_cmp(&mean(other)))?;
        leads[best].is_certain(done).then(|| decision.moves[best].0)
    }
}

impl Player<Coup> for WorldSearch<'_> {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        self.cut = None;
        let mut clock = self.time.clock(request.heading.share());
        let drawn = self.table.choose(request)?;
        Ok(self.better(request, &drawn, &mut clock).unwrap_or(drawn))
    }

    fn cut(&self) -> Option<CutOff> {
        self.cut
    }
}

/// The lead of a move over that of the table: sums over worlds.
#[derive(Debug, Clone, Copy, Default)]
struct Lead {
    sum: f64,
    squares: f64,
}

impl Lead {
    fn add(&mut self, lead: f64) {
        self.sum += lead;
        self.squares += lead * lead;
    }

    /// Returns true if it is more than chance explains.
    fn is_certain(self, worlds: u32) -> bool {
        let worlds = f64::from(worlds.max(1));
        let mean = self.sum / worlds;
        let variance = (self.squares / worlds - mean * mean).max(0.0) / worlds;
        mean > CAUTION * variance.sqrt()
    }
}

/// The manners and hands that the other seat may have, as is believed, with [`DOUBT`].
fn manners_and_hands(
    decision: &Decision,
    suspicion: &StyleTracker<'_>,
) -> WeightedSampler<(usize, u8)> {
    let weight_of = |weights: Weights| decision.hands(weights).map(|(_, weight)| weight).sum();
    let [by_table, by_style] = factors(suspicion.worlds().map(weight_of));
    WeightedSampler::new(suspicion.worlds().enumerate().flat_map(|(manner, weights)| {
        // The first manner is the table's.
        let factor = if manner == 0 { by_table } else { by_style };
        let hands = decision.hands(weights);
        hands.map(move |(hand, weight)| ((manner, hand), weight * factor))
    }))
}

/// What the weights of the table and of every style are multiplied by, so that the table, the first, has
/// at least [`DOUBT`] of them; 1 if it is not possible at all.
fn factors(mut weights: impl Iterator<Item = f64>) -> [f64; 2] {
    let table = weights.next().unwrap_or_default();
    let styles: f64 = weights.sum();
    let share = table / (table + styles);
    match share > 0.0 && share < DOUBT {
        true => [DOUBT / share, (1.0 - DOUBT) / (1.0 - share)],
        false => [1.0, 1.0],
    }
}

/// The tables by which games are played out.
#[derive(Debug, Clone)]
struct PlayoutTables<'a> {
    table: CachedTable<'a>,
    /// What each style does.
    habits: Vec<CachedTable<'a>>,
    /// What the seat does against each suspect.
    responses: Vec<CachedTable<'a>>,
}

impl<'a> PlayoutTables<'a> {
    fn new(
        table: PackedTable<'a>,
        punishment: &StyleResponses<'a>,
        manners: &[(PlayStyle<'a>, f64)],
    ) -> PlayoutTables<'a> {
        let habits = manners.iter().filter_map(|(manner, _)| match manner {
            PlayStyle::Habits(habits) => Some(CachedTable::new(*habits)),
            PlayStyle::Table(_) | PlayStyle::Counted(_) => None,
        });
        let responses = punishment.responses().map(CachedTable::new);
        PlayoutTables {
            table: CachedTable::new(table),
            habits: habits.collect(),
            responses: responses.collect(),
        }
    }

    /// What the other seat does in this manner.
    fn other_chances(&mut self, manner: usize, situation: &Situation, hand: usize) -> Chances {
        let habits = manner.checked_sub(1).and_then(|style| self.habits.get_mut(style));
        match habits {
            Some(habits) => habits.chances(&situation.rough(), hand),
            None => self.table.chances(situation, hand),
        }
    }

    /// What the seat itself does against this suspect.
    fn own_chances(&mut self, suspect: LikelyStyle, situation: &Situation, hand: usize) -> Chances {
        let place = suspect.index().checked_sub(LikelyStyle::CERTAINTIES);
        match place.and_then(|place| self.responses.get_mut(place)) {
            Some(response) => response.chances(&situation.rough(), hand),
            None => self.table.chances(situation, hand),
        }
    }
}

/// A table and what was looked up in it of late.
#[derive(Debug, Clone)]
struct CachedTable<'a> {
    packed: PackedTable<'a>,
    /// The same table; most are never asked, and a start is to cost little.
    unpacked: Option<UnpackedTable<'a>>,
    known: ChanceCache,
}

impl<'a> CachedTable<'a> {
    fn new(table: PackedTable<'a>) -> CachedTable<'a> {
        CachedTable { packed: table, unpacked: None, known: ChanceCache::default() }
    }

    fn chances(&mut self, situation: &Situation, hand: usize) -> Chances {
        let CachedTable { packed, unpacked, known } = self;
        known.get(situation, hand, || {
            let table = unpacked.get_or_insert_with(|| UnpackedTable::new(*packed));
            table.chances(situation, hand)
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settings {
    /// By moves that are tried in worlds.
    Search {
        /// Number of sampled worlds in which every move is tried, at least 1.
        worlds: u32,
        time: TimeLimit,
    },
    /// By the responses to the style that it suspects.
    Respond {
        /// Chance, before the other seat has done anything, that it plays in a known style, in per
        /// cent, from 1 to 100. Above about 78 it departs from the table with its first move, until
        /// the other seat's moves speak against that.
        trust: u8,
        /// Time to think about one move at a court, where it searches all the same.
        time: TimeLimit,
    },
    /// By the table alone.
    Safe {
        /// Time to think about one move at a court, where it searches all the same.
        time: TimeLimit,
    },
}

const WORLDS: u32 = 200;

/// The chance that the search gives to known styles before anything has happened, in per cent.
const TRUST: u8 = 85;

impl Default for Settings {
    fn default() -> Self {
        Settings::Search { worlds: WORLDS, time: TimeLimit::HalfOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text, without `--worlds` and `--time`, which other games have too.
    pub const HELP: &str = "
  --trust N        Coup: no search: respond to the style that the opponent seems to play in; prior
                   belief in percent that it plays a known one; higher exploits weak play sooner, but
                   is itself more exploitable
  --safe           Coup: no search, same as --trust 0: play by the table learned in self-play only";

    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        // It is the only option that has no value.
        let (safe, others): (Vec<_>, Vec<_>) =
            words.iter().cloned().partition(|word| word == "--safe");
        let (mut trust, mut worlds, mut time) = (None, None, TimeLimit::HalfOfRequest);
        for given in options_in(&others) {
            match given.name {
                "--trust" => {
                    let chance = given.value.parse().ok().filter(|trust: &u8| *trust <= 100);
                    trust = Some(chance.ok_or_else(|| given.wrong("a number from 0 to 100"))?);
                }
                "--worlds" => worlds = Some(given.number(u32::MAX)?),
                "--time" => time = TimeLimit::from_option(given)?,
                _ => return Err(given.unknown()),
            }
        }
        let looks_up = trust.is_some() || !safe.is_empty();
        if worlds.is_some() && looks_up {
            let problem = "`--worlds` is for the search, which `--trust` and `--safe` turn off";
            return Err(BadOption::Wrong(problem.to_owned()));
        }
        Ok(match trust.filter(|trust| *trust > 0 && safe.is_empty()) {
            Some(trust) => Settings::Respond { trust, time },
            None if looks_up => Settings::Safe { time },
            None => Settings::Search { worlds: worlds.unwrap_or(WORLDS), time },
        })
    }

    /// The number of worlds and the time in which it tries its moves at a court.
    pub fn effort(self) -> (u32, TimeLimit) {
        match self {
            Settings::Search { worlds, time } => (worlds, time),
            Settings::Respond { time, .. } | Settings::Safe { time } => (WORLDS, time),
        }
    }

    /// The player of these settings in the contest; `None` if what belongs to it is damaged.
    pub fn player(self) -> Option<AnyPlayer<Coup>> {
        let table = style_tracker::learned_table()?;
        let trusted = |trust| Some(style_tracker::punishment()?.trusted(f64::from(trust) / 100.0));
        Some(match self {
            Settings::Search { worlds, time } => {
                Box::new(WorldSearch::new(table, &trusted(TRUST)?, worlds, time))
            }
            Settings::Respond { trust, .. } => Box::new(Expert::punishing(table, trusted(trust)?)),
            Settings::Safe { .. } => Box::new(Expert::safe(table)),
        })
    }
}
