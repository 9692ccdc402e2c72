//! Responses to players of known styles, when the style of the current one is not known.
//!
//! A learner meets the players in turn, and the player of the table. It sees a rough situation, its
//! hand, and whom its [`StyleTracker`] takes the other to be: so it learns what to do while it is not
//! sure, too.

use std::sync::{Arc, Mutex, PoisonError};

use bots::coup::expert::Expert;
use bots::coup::expert::packed::PackedTable;
use bots::coup::expert::read::answer;
use bots::coup::expert::situation::{Choice, Situation};
use bots::coup::expert::style_tracker::{
    LikelyStyle, MAGIC, PlayStyle, StyleTracker, WHOLE, manners,
};
use bots::coup::{Coup, Greedy};
use bots::{AnyPlayer, NoMove, Player};
use rules::coup::Move;
use rules::{Request, Seed};
use simulation::StuckGame;

use crate::coup::contest::{Contest, meet, number};
use crate::coup::episodes::Learner;
use crate::coup::pack::pack;
use crate::coup::random::Random;
use crate::coup::store::Store;
use crate::coup::styles::count;

#[derive(Debug)]
pub struct Style {
    /// Games against who plays in it.
    pub contest: Contest,
    /// A packed table of what it does in rough situations.
    pub habits: &'static [u8],
    /// Rate of meeting it, in thousandths.
    pub chance: u32,
}

/// A learner and all whom it meets.
#[derive(Debug)]
pub struct Population {
    table: PackedTable<'static>,
    styles: Vec<Style>,
    manners: Vec<(PlayStyle<'static>, f64)>,
    seed: Seed,
    learner: Arc<Mutex<Learner>>,
}

impl Population {
    /// These styles, at most [`MOST_STYLES`], and for the rest of the games the table; `None` if the
    /// bytes of a style are no table.
    pub fn new(table: PackedTable<'static>, styles: Vec<Style>, seed: Seed) -> Option<Population> {
        if styles.len() > MOST_STYLES {
            return None;
        }
        let learner = Arc::new(Mutex::new(Learner::new(number(&seed))));
        let habits = styles.iter().map(|style| {
            let chance = f64::from(style.chance) / f64::from(WHOLE);
            Some((PackedTable::new(style.habits)?, chance))
        });
        let manners = manners(table, &habits.collect::<Option<Vec<_>>>()?);
        Some(Population { table, styles, manners, seed, learner })
    }

    /// Plays a number of games, in either seat in turn, and learns from each.
    pub fn learn(&mut self, games: u64) -> Result<(), StuckGame> {
        for game in 0..games {
            let mut random = Random::new(number(&self.seed), game);
            let mut point = random.below(WHOLE as usize) as u32;
            let met = self.styles.iter().find(|style| match point.checked_sub(style.chance) {
                Some(rest) => {
                    point = rest;
                    false
                }
                None => true,
            });
            let other: AnyPlayer<Coup> = match met {
                Some(style) => style.contest.player(),
                None => Box::new(Expert::safe(self.table)),
            };
            let learner = Box::new(Learning {
                learner: Arc::clone(&self.learner),
                manners: self.manners.clone(),
                suspicion: None,
            });
            let ending = meet(&self.seed, game / 2, (game % 2) as usize, learner, other)?;
            self.learner.lock().unwrap_or_else(PoisonError::into_inner).learn(ending.points());
        }
        Ok(())
    }

    /// Packs the results for the player: see [`bots::coup::expert::style_tracker`]. Each table has
    /// at most `most_bytes` bytes.
    pub fn packed(&self, most_bytes: usize) -> Vec<u8> {
        let learner = self.learner.lock().unwrap_or_else(PoisonError::into_inner);
        let suspects = (self.styles.len() + 1) * LikelyStyle::CERTAINTIES;
        let mut stores: Vec<Store> = (0..suspects).map(|_| Store::new()).collect();
        for (key, games) in learner.known() {
            let Some(View { situation, hand, suspect }) = View::finest_of(key) else { continue };
            let Some(store) = stores.get_mut(suspect) else { continue };
            let keys = views(&situation, hand, suspect);
            count(store, &situation, hand, learner.best(&keys, situation.options(hand)), games);
        }
        let mut bytes = MAGIC.to_vec();
        let put = |number: u32, bytes: &mut Vec<u8>| bytes.extend(number.to_le_bytes());
        put(self.styles.len() as u32, &mut bytes);
        self.styles.iter().for_each(|style| put(style.chance, &mut bytes));
        // Against the table itself nothing but the table is played.
        let responses = stores.iter().skip(LikelyStyle::CERTAINTIES);
        let responses = responses.map(|store| pack(store, most_bytes, 4.0));
        for table in self.styles.iter().map(|style| style.habits.to_vec()).chain(responses) {
            put(table.len() as u32, &mut bytes);
            bytes.extend(table);
        }
        bytes
    }
}

/// The most styles that there may be.
pub const MOST_STYLES: usize = 20;

/// Number of views of what the learner sees, from the roughest.
const VIEWS: usize = 3;

/// In views that do not tell suspects apart.
const ANYONE: usize = 0x3f;

struct View {
    situation: Situation,
    hand: usize,
    suspect: usize,
}

impl View {
    fn finest_of(key: u64) -> Option<View> {
        let situation = Situation::of_key(key >> 15)?;
        let (hand, suspect) = ((key >> 8 & 0x7f) as usize, (key >> 2 & 0x3f) as usize);
        (key & 3 == VIEWS as u64 - 1).then_some(View { situation, hand, suspect })
    }
}

fn views(situation: &Situation, hand: usize, suspect: usize) -> [u64; VIEWS] {
    let claims = situation.rough();
    let rough = claims.forgotten();
    let mut view = 0;
    [(rough, ANYONE), (rough, suspect), (claims, suspect)].map(|(situation, suspect)| {
        view += 1;
        ((situation.key() << 7 | hand as u64) << 6 | suspect as u64) << 2 | (view - 1)
    })
}

struct Learning {
    learner: Arc<Mutex<Learner>>,
    manners: Vec<(PlayStyle<'static>, f64)>,
    suspicion: Option<StyleTracker<'static>>,
}

impl Player<Coup> for Learning {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        if self.suspicion.is_none() {
            self.suspicion = StyleTracker::new(request.heading.seat, self.manners.iter().copied());
        }
        let suspicion = self.suspicion.as_mut().ok_or(NoMove)?;
        // A game that is decided is none that it follows to the end.
        let Some(suspect) = suspicion.learn(request).map(LikelyStyle::index) else {
            return Greedy.choose(request);
        };
        let mut learner = self.learner.lock().unwrap_or_else(PoisonError::into_inner);
        let choose = |situation: &Situation, hand: usize| -> Option<Choice> {
            let options = situation.options(hand);
            let place = learner.tried(&views(situation, hand, suspect), options);
            situation.choices().get(place).copied()
        };
        answer(request, choose).map_or_else(|| Greedy.choose(request), Ok)
    }
}
