//! One game as a class of Python.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use bots::review::{reviewer_of, usual_worlds};
use learning::{Branch, Deal, Episode, Layout, Opponent, Resumed, Rows, begin};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rules::{GameKind, Seat, Seed};

use crate::given::{Command, failed, game, seed, wrong};
use crate::pickled::{FORMAT, Origin, VERSION, hexadecimal, told_by};

/// What `current_player` gives once the game is over.
const OVER: i32 = -4;

/// The most legal actions that an error names.
const NAMED: usize = 12;

/// What an evaluated move is: its action, its text, the share of a win that it is worth, and the error of that.
type Valued = (usize, String, f64, f64);

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

/// A game that is stepped through.
#[pyclass(module = "arbiter_games._core", frozen)]
pub(crate) struct State {
    pub(crate) kind: GameKind,
    /// The game as it was named.
    named: String,
    pub(crate) seed: Seed,
    pub(crate) deal: u64,
    /// The deal that it began with, and the places at which a copy got other chance.
    root: Deal,
    branches: Vec<Branch>,
    /// The built-in player on the other seats; copies have none.
    opponent: Option<Opponent>,
    layout: Arc<Layout>,
    episode: Mutex<Box<dyn Episode>>,
}

impl State {
    /// Asks or changes the episode. The lock is taken and left without the interpreter, so that a thread that waits for
    /// it stops no other: a built-in player may think for long.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut dyn Episode) -> T + Send,
    ) -> T {
        py.detach(|| ask(&mut **self.episode.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    pub(crate) fn options(&self) -> &str {
        &self.layout.options
    }

    /// A state of the same game, whose chance comes from the last of these branches.
    fn copied(&self, episode: Box<dyn Episode>, branch: Option<Branch>) -> State {
        let branches: Vec<Branch> = self.branches.iter().cloned().chain(branch).collect();
        let chance = branches.last().map_or(&self.root, |branch| &branch.chance);
        State {
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

    fn begun(
        py: Python<'_>,
        (kind, named): (GameKind, &str),
        options: &str,
        deal: Deal,
        opponent: Option<Opponent>,
    ) -> PyResult<State> {
        if deal.number >= DEALS {
            return Err(wrong(format!("deal {}, expected 0 to {}", deal.number, DEALS - 1)));
        }
        let root = deal.clone();
        let episode = py.detach(|| match &opponent {
            None => begin(&kind, options, deal),
            Some(opponent) => opponent.begin(&kind, options, deal),
        });
        let episode = episode.map_err(failed)?;
        let layout = layout_of(&kind, options, &*episode);
        Ok(State {
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

    /// The place at which a copy gets other chance: here.
    fn branch(&self, episode: &dyn Episode, seat: Option<Seat>, chance: &Deal) -> Branch {
        Branch { at: episode.moves().len(), seat, chance: chance.clone() }
    }

    fn text(&self, py: Python<'_>, action: usize) -> PyResult<String> {
        let text = self.with(py, |episode| (episode.text(action), legal(episode)));
        text.0.ok_or_else(|| {
            let legal: Vec<String> = text.1.iter().take(NAMED).map(ToString::to_string).collect();
            wrong(format!(
                "action {action} is not legal here, expected one of {}",
                legal.join(", ")
            ))
        })
    }

    fn seat(&self, player: usize) -> PyResult<Seat> {
        let seats = self.layout.seats;
        let seat = Seat::new(player).filter(|seat| seat.index() < seats);
        seat.ok_or_else(|| wrong(format!("player {player}, expected one from 0 to {}", seats - 1)))
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game_name, options, seed_text, deal, opponent=None, learner=None))]
    fn new(
        py: Python<'_>,
        game_name: &str,
        options: &str,
        seed_text: &str,
        deal: u64,
        opponent: Option<&str>,
        learner: Option<usize>,
    ) -> PyResult<State> {
        let (kind, seed) = (game(game_name)?, seed(seed_text)?);
        let opponent = opponent.map(Command::new).transpose()?.map(|it| it.against(learner));
        State::begun(py, (kind, game_name), options, Deal { seed, number: deal }, opponent)
    }

    #[getter]
    fn game(&self) -> &str {
        self.kind.name()
    }

    #[getter(options)]
    fn options_text(&self) -> &str {
        self.options()
    }

    #[getter(deal)]
    fn deal_number(&self) -> u64 {
        self.deal
    }

    #[getter]
    fn version(&self) -> u32 {
        self.layout.version
    }

    #[getter]
    fn num_players(&self) -> usize {
        self.layout.seats
    }

    #[getter]
    fn num_actions(&self) -> usize {
        self.layout.actions.len()
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.layout.columns.clone()
    }

    #[getter]
    fn action_names(&self) -> Vec<String> {
        self.layout.actions.clone()
    }

    #[getter]
    fn move_columns(&self) -> Vec<String> {
        self.layout.move_columns.clone()
    }

    fn current_player(&self, py: Python<'_>) -> i32 {
        let seat = self.with(py, |episode| episode.to_move());
        seat.map_or(OVER, |seat| seat.index() as i32)
    }

    fn is_terminal(&self, py: Python<'_>) -> bool {
        self.with(py, |episode| episode.to_move()).is_none()
    }

    fn legal_actions(&self, py: Python<'_>) -> Vec<usize> {
        self.with(py, |episode| legal(episode))
    }

    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.layout.actions.len()];
        for action in self.legal_actions(py) {
            mask.get_mut(action).into_iter().for_each(|legal| *legal = 1);
        }
        PyArray1::from_vec(py, mask)
    }

    fn action_to_string(&self, py: Python<'_>, action: usize) -> PyResult<String> {
        self.text(py, action)
    }

    fn string_to_action(&self, py: Python<'_>, text: &str) -> PyResult<usize> {
        let action = self.with(py, |episode| episode.number(text));
        action.ok_or_else(|| {
            let text = text.escape_debug();
            wrong(format!("`{text}` is not a legal move here, expected one of legal_actions()"))
        })
    }

    fn apply_action(&self, py: Python<'_>, action: usize) -> PyResult<()> {
        self.with(py, |episode| episode.act(action)).map_err(failed)
    }

    fn scores(&self, py: Python<'_>) -> Vec<f64> {
        self.with(py, |episode| {
            let scores =
                episode.scores().map(|scores| scores.values().iter().map(|it| it.as_f64()));
            scores.map(Iterator::collect).unwrap_or_default()
        })
    }

    /// What a player sees, or the one to move if none is named; once the game is over, the first.
    #[pyo3(signature = (player=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = player.map(|player| self.seat(player)).transpose()?;
        let mut row = vec![0; self.layout.columns.len()];
        self.with(py, |episode| {
            let seat = seat.or(episode.to_move()).or(Seat::new(0));
            seat.into_iter().for_each(|seat| episode.observe(seat, &mut row));
        });
        Ok(PyArray1::from_vec(py, row))
    }

    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let rows = self.with(py, |episode| {
            let mut rows = Rows::default();
            episode.describe_moves(&mut rows);
            rows
        });
        let shape = [rows.count, self.layout.move_columns.len()];
        PyArray1::from_vec(py, rows.values).reshape(shape)
    }

    fn information_state_string(&self, py: Python<'_>, player: usize) -> PyResult<String> {
        let seat = self.seat(player)?;
        Ok(self.with(py, |episode| episode.information_state(seat)))
    }

    fn view(&self, py: Python<'_>, player: usize) -> PyResult<String> {
        let seat = self.seat(player)?;
        Ok(self.with(py, |episode| episode.view(seat)))
    }

    fn request(&self, py: Python<'_>) -> Option<String> {
        self.with(py, |episode| episode.request())
    }

    fn history(&self, py: Python<'_>) -> Vec<String> {
        self.with(py, |episode| episode.events())
    }

    #[pyo3(signature = (chance=None))]
    fn clone(&self, py: Python<'_>, chance: Option<&str>) -> PyResult<State> {
        let chance = chance.map(seed).transpose()?.map(|seed| Deal { seed, number: 0 });
        let (copy, branch) = self.with(py, |episode| {
            let branch = chance.as_ref().map(|chance| self.branch(episode, None, chance));
            (episode.copy(chance.as_ref()), branch)
        });
        Ok(self.copied(copy.map_err(failed)?, branch))
    }

    fn resample(&self, py: Python<'_>, player: usize, chance: &str) -> PyResult<State> {
        let seat = self.seat(player)?;
        if self.kind.rules_id().is_some() {
            return Err(wrong(format!(
                "{} is not built in, so no other games are known",
                self.kind
            )));
        }
        let chance = Deal { seed: seed(chance)?, number: 0 };
        let (drawn, branch) = self.with(py, |episode| {
            (episode.resample(seat, &chance), self.branch(episode, Some(seat), &chance))
        });
        let none = || wrong(format!("no game agrees with what player {player} knows"));
        Ok(self.copied(drawn.ok_or_else(none)?, Some(branch)))
    }

    fn choose(&self, py: Python<'_>, player: &str) -> PyResult<usize> {
        let Command { program, options } = Command::new(player)?;
        self.with(py, |episode| episode.ask(&program, &options)).map_err(failed)
    }

    #[pyo3(signature = (worlds=None))]
    fn evaluate(&self, py: Python<'_>, worlds: Option<u32>) -> PyResult<Vec<Valued>> {
        let worlds = worlds.unwrap_or_else(|| usual_worlds(&self.kind));
        if worlds == 0 {
            return Err(wrong("0 worlds, expected at least 1"));
        }
        let request =
            self.request(py).ok_or_else(|| wrong("the game is over, expected a player to move"))?;
        let mut reviewer = reviewer_of(&self.kind, self.options()).ok_or_else(|| {
            wrong(format!("no values of moves are known for {} {}", self.kind, self.options()))
        })?;
        let first = self.legal_actions(py).first().copied();
        let first = first.ok_or_else(|| wrong("no move is legal"))?;
        let first = self.text(py, first)?;
        let opinion = py.detach(|| reviewer.review(&request, &first, worlds)).map_err(wrong)?;
        let rated = opinion.reviewed.moves;
        Ok(self.with(py, |episode| {
            let valued = rated.into_iter().filter_map(|rated| {
                let action = episode.number(&rated.mv)?;
                Some((action, rated.mv, rated.share, rated.error))
            });
            valued.collect()
        }))
    }

    fn begin(&self, py: Python<'_>, deal: u64) -> PyResult<State> {
        let (kind, seed) = (self.kind.clone(), self.seed.clone());
        let deal = Deal { seed, number: deal };
        State::begun(py, (kind, &self.named), self.options(), deal, self.opponent.clone())
    }

    /// A copy with the same opponent, which goes on as this one does.
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<State> {
        State::restored(py, self.pickled(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let restore = py.import("arbiter_games._core")?.getattr("restored_state")?;
        Ok((restore, (FORMAT, VERSION, self.pickled(py))))
    }

    fn __repr__(&self) -> String {
        let (name, options, deal) = (self.kind.name(), self.options(), self.deal);
        format!("<state of {name} {options}, deal {deal}>")
    }
}

/// A state as a pickle holds it: where it comes from, its deal, the moves after which it got other chance with the
/// player who sees the same and the seed, and the moves of all players.
type Pickled = (Origin, u64, Vec<(usize, Option<usize>, String)>, Vec<String>);

/// What a pickle calls, and with what: the format, the version and the content.
type Reduced<'py> = (Bound<'py, PyAny>, (u32, &'static str, Pickled));

impl State {
    fn pickled(&self, py: Python<'_>) -> Pickled {
        let moves = self.with(py, |episode| episode.moves());
        let origin = Origin {
            game: self.named.clone(),
            rules: self.kind.rules_id().map(|id| id.digest.to_string()),
            columns: self.layout.version,
            options: self.options().to_owned(),
            seed: hexadecimal(&self.root.seed),
            opponent: self.opponent.as_ref().map(Command::text),
            learner: self.opponent.as_ref().and_then(|opponent| opponent.learner),
        };
        let branch = |Branch { at, seat, chance }: &Branch| {
            (*at, seat.map(Seat::index), hexadecimal(&chance.seed))
        };
        (origin, self.root.number, self.branches.iter().map(branch).collect(), moves)
    }

    /// The state that was pickled like this.
    fn restored(py: Python<'_>, pickled: Pickled) -> PyResult<State> {
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
            let resumed = Resumed {
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
        Ok(State {
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

/// The legal actions.
fn legal(episode: &dyn Episode) -> Vec<usize> {
    episode.legal_actions().iter().map(|action| usize::from(*action)).collect()
}

#[pyfunction]
#[pyo3(signature = (format, package, *told))]
pub(crate) fn restored_state(
    py: Python<'_>,
    format: u32,
    package: &str,
    told: &Bound<'_, PyTuple>,
) -> PyResult<State> {
    State::restored(py, told_by::<Pickled>(format, package, told)?)
}
