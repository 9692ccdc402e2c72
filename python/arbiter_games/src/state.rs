//! One game as a class of Python. `State` of the package inherits from it, so that no call of Python lies between.

use std::sync::Arc;

use bots::review::{reviewer_of, usual_worlds};
use learning::{Deal, Episode, RowBuffer};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rules::Seat;

use crate::given::{Command, failed, game, seed, whole, wrong};
use crate::pickled::{Reduced, reduced, told_by};
use crate::played::{Pickled, Played};

/// What `current_player` gives once the game is over.
const OVER: i32 = -4;

/// A game that is stepped through.
#[pyclass(module = "arbiter_games._core", frozen, subclass)]
pub(crate) struct State(pub(crate) Arc<Played>);

impl State {
    fn playing(played: Played) -> State {
        State(Arc::new(played))
    }

    /// The seat of a player.
    fn seat(&self, player: &Bound<'_, PyAny>) -> PyResult<Seat> {
        let (player, seats) = (whole(player, "player")?, self.0.layout.seats);
        let seat = Seat::new(player).filter(|seat| seat.index() < seats);
        seat.ok_or_else(|| wrong(format!("player {player}, expected one from 0 to {}", seats - 1)))
    }

    /// The seat of a player who is named.
    fn named(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Seat>> {
        player.map(|player| self.seat(player)).transpose()
    }

    fn to_move(&self, py: Python<'_>) -> Option<Seat> {
        self.0.at_once(py, |episode| episode.to_move())
    }

    fn legal(&self, py: Python<'_>) -> Vec<u16> {
        self.0.at_once(py, |episode| episode.legal_actions().to_vec())
    }
}

#[pymethods]
impl State {
    /// The same game as another state's.
    #[new]
    fn new(of: &State) -> State {
        State(Arc::clone(&of.0))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &str {
        self.0.kind.name()
    }

    /// The options of the game, in their one spelling.
    #[getter]
    fn options(&self) -> &str {
        self.0.options()
    }

    /// The number of the deal of its seed, from 0.
    #[getter]
    fn deal(&self) -> u64 {
        self.0.deal
    }

    /// The version of the columns and actions; a model is trained for one.
    #[getter]
    fn version(&self) -> u32 {
        self.0.layout.version
    }

    /// The number of seats.
    #[getter]
    fn num_players(&self) -> usize {
        self.0.layout.seats
    }

    /// The number of actions; the legal ones are among them.
    #[getter]
    fn num_actions(&self) -> usize {
        self.0.layout.actions.len()
    }

    /// The names of the columns of an observation. `+0` is the seat that observes, `+1` the next.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.layout.columns.clone()
    }

    /// The names of all actions. `+1` is the next seat.
    #[getter]
    fn action_names(&self) -> Vec<String> {
        self.0.layout.actions.clone()
    }

    /// The names of the columns of `moves`.
    #[getter]
    fn move_columns(&self) -> Vec<String> {
        self.0.layout.move_columns.clone()
    }

    /// The player to move; -4 once the game is over.
    fn current_player(&self, py: Python<'_>) -> i32 {
        self.to_move(py).map_or(OVER, |seat| seat.index() as i32)
    }

    /// True once the game is over.
    fn is_terminal(&self, py: Python<'_>) -> bool {
        self.to_move(py).is_none()
    }

    /// The legal actions of the player to move, in the order of the legal moves of a request.
    ///
    /// For a player who is not to move, the list is empty.
    #[pyo3(signature = (player=None))]
    fn legal_actions(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<u16>> {
        let player = player.map(|player| whole(player, "player")).transpose()?;
        let asks = |to_move: Seat| player.is_none_or(|player| player == to_move.index());
        match player.is_none() || self.to_move(py).is_some_and(asks) {
            true => Ok(self.legal(py)),
            false => Ok(Vec::new()),
        }
    }

    /// 1 for each legal action, shape `(num_actions,)`.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.0.layout.actions.len()];
        for action in self.legal(py) {
            mask.get_mut(usize::from(action)).into_iter().for_each(|legal| *legal = 1);
        }
        PyArray1::from_slice(py, &mask)
    }

    /// The move that a legal action is, as a bot would print it; a player may be named before it.
    #[pyo3(signature = (*player_and_action))]
    fn action_to_string(
        &self,
        py: Python<'_>,
        player_and_action: &Bound<'_, PyTuple>,
    ) -> PyResult<String> {
        let given = player_and_action.len();
        if given != 1 && given != 2 {
            return Err(wrong(format!(
                "{given} numbers, expected an action, or a player and an action"
            )));
        }
        let action = player_and_action.get_item(given - 1)?;
        self.0.text(py, whole(&action, "action")?)
    }

    /// The legal action that a move is, in any spelling that the referee takes.
    fn string_to_action(&self, py: Python<'_>, text: &str) -> PyResult<usize> {
        let action = self.0.with(py, |episode| episode.number(text));
        action.ok_or_else(|| {
            let text = text.escape_debug();
            wrong(format!("`{text}` is not a legal move here, expected one of legal_actions()"))
        })
    }

    /// Plays a legal action. `ValueError` for another one, which changes nothing.
    fn apply_action(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.act(py, whole(action, "action")?)
    }

    /// The points of each player once the game is over, else nothing.
    fn scores(&self, py: Python<'_>) -> Vec<f64> {
        self.0.at_once(py, |episode| {
            let scores =
                episode.scores().map(|scores| scores.values().iter().map(|it| it.as_f64()));
            scores.map(Iterator::collect).unwrap_or_default()
        })
    }

    /// What a player sees, shape `(len(columns),)`; of the player to move if none is named.
    #[pyo3(signature = (player=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let named = self.named(player)?;
        let mut row = vec![0; self.0.layout.columns.len()];
        self.0.at_once(py, |episode| {
            observer(episode, named).into_iter().for_each(|seat| episode.observe(seat, &mut row));
        });
        Ok(PyArray1::from_slice(py, &row))
    }

    /// A row for each legal action, shape `(len(legal_actions()), len(move_columns))`.
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let rows = self.0.with(py, |episode| {
            let mut rows = RowBuffer::default();
            episode.describe_moves(&mut rows);
            rows
        });
        let shape = [rows.count, self.0.layout.move_columns.len()];
        PyArray1::from_vec(py, rows.values).reshape(shape)
    }

    /// All that a player knows: the view and the history as that seat saw it. Of the player to move if none is named.
    #[pyo3(signature = (player=None))]
    fn information_state_string(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let named = self.named(player)?;
        Ok(self.0.with(py, |episode| {
            let seat = observer(episode, named);
            seat.map(|seat| episode.information_state(seat)).unwrap_or_default()
        }))
    }

    /// The lines of the view of a player, as in a request.
    fn view(&self, py: Python<'_>, player: &Bound<'_, PyAny>) -> PyResult<String> {
        let seat = self.seat(player)?;
        Ok(self.0.with(py, |episode| episode.view(seat)))
    }

    /// The request that a bot would get now; `None` once the game is over.
    fn request(&self, py: Python<'_>) -> Option<String> {
        self.0.with(py, |episode| episode.request())
    }

    /// All events so far, hidden cards included; of a resampled game, what the player saw.
    fn history(&self, py: Python<'_>) -> Vec<String> {
        self.0.with(py, |episode| episode.events())
    }

    #[pyo3(signature = (chance=None))]
    fn _clone(&self, py: Python<'_>, chance: Option<&str>) -> PyResult<State> {
        let chance = chance.map(seed).transpose()?.map(|seed| Deal { seed, number: 0 });
        let (copy, branch) = self.0.with(py, |episode| {
            let branch = chance.as_ref().map(|chance| self.0.branch(episode, None, chance));
            (episode.copy(chance.as_ref()), branch)
        });
        Ok(State::playing(self.0.copied(copy.map_err(failed)?, branch)))
    }

    fn _resample(
        &self,
        py: Python<'_>,
        player: &Bound<'_, PyAny>,
        chance: &str,
    ) -> PyResult<State> {
        let seat = self.seat(player)?;
        if self.0.kind.rules_id().is_some() {
            return Err(wrong(format!(
                "{} is not built in, so no other games are known",
                self.0.kind
            )));
        }
        let chance = Deal { seed: seed(chance)?, number: 0 };
        let (drawn, branch) = self.0.with(py, |episode| {
            (episode.resample(seat, &chance), self.0.branch(episode, Some(seat), &chance))
        });
        let none = || wrong(format!("no game agrees with what player {seat} knows"));
        Ok(State::playing(self.0.copied(drawn.ok_or_else(none)?, Some(branch))))
    }

    /// The action of a built-in player for the seat to move, such as `"greedy"`.
    fn choose(&self, py: Python<'_>, player: &str) -> PyResult<usize> {
        let Command { program, options } = Command::new(player)?;
        self.0.with(py, |episode| episode.ask(&program, &options)).map_err(failed)
    }

    /// What each different legal move is worth, as `arbiter review` values it.
    ///
    /// Action, move, the chance to win (a tie counts half), and the standard error of that.
    /// `worlds` is the number of sampled worlds.
    #[pyo3(signature = (worlds=None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(usize, String, f64, f64)>> {
        let worlds = worlds.map(|worlds| whole(worlds, "worlds")).transpose()?;
        let worlds = worlds.map_or_else(
            || usual_worlds(&self.0.kind),
            |worlds| u32::try_from(worlds).unwrap_or(u32::MAX),
        );
        if worlds == 0 {
            return Err(wrong("0 worlds, expected at least 1"));
        }
        let request =
            self.request(py).ok_or_else(|| wrong("the game is over, expected a player to move"))?;
        let (kind, options) = (&self.0.kind, self.0.options());
        let mut reviewer = reviewer_of(kind, options)
            .ok_or_else(|| wrong(format!("no move values are known for {kind} {options}")))?;
        let first = self.legal(py).first().copied().ok_or_else(|| wrong("no move is legal"))?;
        let first = self.0.text(py, first.into())?;
        let opinion = py.detach(|| reviewer.review(&request, &first, worlds)).map_err(wrong)?;
        let rated = opinion.reviewed.moves;
        Ok(self.0.with(py, |episode| {
            let valued = rated.into_iter().filter_map(|rated| {
                let action = episode.number(&rated.mv)?;
                Some((action, rated.mv, rated.share, rated.error))
            });
            valued.collect()
        }))
    }

    fn _next_deal(&self, py: Python<'_>) -> PyResult<State> {
        let (kind, seed) = (self.0.kind.clone(), self.0.seed.clone());
        let deal = Deal { seed, number: self.0.deal + 1 };
        let (game, opponent) = ((kind, &*self.0.named), self.0.opponent.clone());
        Ok(State::playing(Played::begun(py, game, self.0.options(), deal, opponent)?))
    }

    /// A copy with the same opponent, which goes on as this one does.
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<State> {
        Ok(State::playing(Played::restored(py, self.0.pickled(py))?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Pickled>> {
        reduced(py, "restored_state", self.0.pickled(py))
    }

    fn __repr__(&self) -> String {
        let Played { kind, deal, .. } = &*self.0;
        format!("<state of {} {}, deal {deal}>", kind.name(), self.0.options())
    }
}

/// The player who is named, or the one to move; once the game is over, the first.
fn observer(episode: &dyn Episode, named: Option<Seat>) -> Option<Seat> {
    named.or(episode.to_move()).or(Seat::new(0))
}

/// Begins a game.
#[pyfunction]
#[pyo3(signature = (game_name, options, seed_text, deal, opponent=None, learner=None))]
pub(crate) fn begun_state(
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
    let deal = Deal { seed, number: deal };
    Ok(State::playing(Played::begun(py, (kind, game_name), options, deal, opponent)?))
}

#[pyfunction]
#[pyo3(signature = (format, package, *told))]
pub(crate) fn restored_state(
    py: Python<'_>,
    format: u32,
    package: &str,
    told: &Bound<'_, PyTuple>,
) -> PyResult<State> {
    Ok(State::playing(Played::restored(py, told_by::<Pickled>(format, package, told)?)?))
}
