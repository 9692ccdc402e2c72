//! A game as states of Python share it, and how it is pickled.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use learning::{Branch, Deal, Episode, EpisodeError, EpisodeRecord, Layout, Opponent, begin};
use pyo3::prelude::*;
use rules::{GameKind, Seat, Seed};

use crate::given::{failed, seed, wrong};
use crate::pickled::{Origin, hexadecimal};

/// The most legal actions that an error names.
const NAMED: usize = 12;

/// The deals that a log can hold.
const DEALS: u64 = 1 << 30;

/// The most layouts that are kept: more than there are sets of options that somebody trains for.
const KEPT: usize = 64;

/// Layouts by the name of a game and its options.
type Layouts = HashMap<(String, String), Arc<Layout>>;

/// The layouts of built-in games, since to write all names takes longer than a few moves.
static LAYOUTS: LazyLock<Mutex<Layouts>> = LazyLock::new(Mutex::default);

/// The layout of a game that was begun with these options.
fn layout_of(kind: &GameKind, options: &str, episode: &dyn Episode) -> Arc<Layout> {
    if kind.rules_id().is_some() {
        return Arc::new(episode.layout());
    }
    let mut kept = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (kind.name().to_owned(), options.to_owned());
    if let Some(layout) = kept.get(&key) {
        return Arc::clone(layout);
    }
    if kept.len() >= KEPT {
        kept.clear();
    }
    let layout = Arc::new(episode.layout());
    kept.insert(key, Arc::clone(&layout));
    layout
}

/// A game that is stepped through, with what it was begun with.
pub(crate) struct Played {
    pub(crate) kind: GameKind,
    /// The game as it was named.
    pub(crate) named: String,
    pub(crate) seed: Seed,
    pub(crate) deal: u64,
    /// The deal that it began with, and the places at which a copy got other chance.
    root: Deal,
    branches: Vec<Branch>,
    /// The built-in player on the other seats; copies have none.
    pub(crate) opponent: Option<Opponent>,
    pub(crate) layout: Arc<Layout>,
    episode: Mutex<Box<dyn Episode>>,
}

/// A state as a pickle holds it: where it comes from, its deal, the moves after which it got other chance with the
/// player who sees the same and the seed, and the moves of all players.
pub(crate) type Pickled = (Origin, u64, Vec<(usize, Option<usize>, String)>, Vec<String>);

impl Played {
    pub(crate) fn begun(
        py: Python<'_>,
        (kind, named): (GameKind, &str),
        options: &str,
        deal: Deal,
        opponent: Option<Opponent>,
    ) -> PyResult<Played> {
        if deal.number >= DEALS {
            return Err(wrong(format!("deal {}, expected 0 to {}", deal.number, DEALS - 1)));
        }
        let root = deal.clone();
        let episode = match &opponent {
            None if kind.rules_id().is_none() => begin(&kind, options, deal),
            None => py.detach(|| begin(&kind, options, deal)),
            Some(opponent) => py.detach(|| opponent.begin(&kind, options, deal)),
        };
        let episode = episode.map_err(failed)?;
        let layout = layout_of(&kind, options, &*episode);
        Ok(Played {
            kind,
            named: named.to_owned(),
            seed: root.seed.clone(),
            deal: root.number,
            root,
            branches: Vec::new(),
            opponent,
            layout,
            episode: Mutex::new(episode),
        })
    }

    /// A state of the same game, whose chance comes from the last of these branches.
    pub(crate) fn copied(&self, episode: Box<dyn Episode>, branch: Option<Branch>) -> Played {
        let branches: Vec<Branch> = self.branches.iter().cloned().chain(branch).collect();
        let chance = branches.last().map_or(&self.root, |branch| &branch.chance);
        Played {
            kind: self.kind.clone(),
            named: self.named.clone(),
            seed: chance.seed.clone(),
            deal: chance.number,
            root: self.root.clone(),
            branches,
            opponent: None,
            layout: Arc::clone(&self.layout),
            episode: Mutex::new(episode),
        }
    }

    /// Asks or changes the episode, which may take long: a built-in player may think. The lock is taken and left without
    /// the interpreter, so that a thread that waits for it stops no other.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut dyn Episode) -> T + Send,
    ) -> T {
        py.detach(|| ask(&mut **self.locked()))
    }

    /// Asks what the episode knows at once. To leave the interpreter and to come back takes longer than that, so it is
    /// left only where another thread has the lock. `ask` calls nothing of Python, which might ask for the lock, too.
    pub(crate) fn at_once<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut dyn Episode) -> T + Send,
    ) -> T {
        match self.episode.try_lock() {
            Ok(mut episode) => ask(&mut **episode),
            Err(_) => self.with(py, ask),
        }
    }

    pub(crate) fn act(&self, py: Python<'_>, action: usize) -> PyResult<()> {
        let act = |episode: &mut dyn Episode| -> Result<(), EpisodeError> { episode.act(action) };
        let is_short = self.opponent.is_none() && self.kind.rules_id().is_none();
        let done = if is_short { self.at_once(py, act) } else { self.with(py, act) };
        done.map_err(failed)
    }

    fn locked(&self) -> MutexGuard<'_, Box<dyn Episode>> {
        self.episode.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place at which a copy gets other chance: here.
    pub(crate) fn branch(
        &self,
        episode: &dyn Episode,
        seat: Option<Seat>,
        chance: &Deal,
    ) -> Branch {
        Branch { at: episode.moves().len(), seat, chance: chance.clone() }
    }

    pub(crate) fn text(&self, py: Python<'_>, action: usize) -> PyResult<String> {
        let (text, legal) =
            self.with(py, |episode| (episode.text(action), episode.legal_actions().to_vec()));
        text.ok_or_else(|| {
            if legal.is_empty() {
                return failed(EpisodeError::not_legal(action, &legal));
            }
            let legal: Vec<String> = legal.iter().take(NAMED).map(ToString::to_string).collect();
            wrong(format!(
                "action {action} is not legal here, expected one of {}",
                legal.join(", ")
            ))
        })
    }

    pub(crate) fn options(&self) -> &str {
        &self.layout.options
    }

    pub(crate) fn pickled(&self, py: Python<'_>) -> Pickled {
        let moves = self.with(py, |episode| episode.moves());
        let Played { named, kind, layout, root, opponent, .. } = self;
        let origin = Origin::new(named, kind, layout, &root.seed, opponent.as_ref());
        let branch = |Branch { at, seat, chance }: &Branch| {
            (*at, seat.map(Seat::index), hexadecimal(&chance.seed))
        };
        (origin, self.root.number, self.branches.iter().map(branch).collect(), moves)
    }

    /// The state that was pickled like this.
    pub(crate) fn restored(py: Python<'_>, pickled: Pickled) -> PyResult<Played> {
        let (origin, number, branches, moves) = pickled;
        let (kind, opponent) = (origin.kind()?, origin.opponent()?);
        if number >= DEALS {
            return Err(wrong(format!("deal {number}, expected 0 to {}", DEALS - 1)));
        }
        let root = Deal { seed: seed(&origin.seed)?, number };
        let branch = |(at, player, text): (usize, Option<usize>, String)| {
            let seat = player
                .map(|it| Seat::new(it).ok_or_else(|| wrong(format!("player {it} has no seat"))))
                .transpose()?;
            Ok(Branch { at, seat, chance: Deal { seed: seed(&text)?, number: 0 } })
        };
        let branches = branches.into_iter().map(branch).collect::<PyResult<Vec<_>>>()?;
        let episode = py.detach(|| {
            let (opponent, options) = (opponent.as_ref(), &origin.options);
            let resumed = EpisodeRecord {
                kind: &kind,
                options,
                deal: &root,
                opponent,
                branches: &branches,
                moves: &moves,
            };
            resumed.episode()
        });
        let episode = episode.map_err(failed)?;
        let layout = layout_of(&kind, &origin.options, &*episode);
        origin.must_fit(layout.version)?;
        let chance = branches.last().map_or(&root, |branch| &branch.chance).clone();
        Ok(Played {
            kind,
            named: origin.game,
            seed: chance.seed,
            deal: chance.number,
            root,
            branches,
            opponent,
            layout,
            episode: Mutex::new(episode),
        })
    }
}
