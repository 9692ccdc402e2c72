//! One game as a class of Python.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bots::review::{reviewer_of, usual_worlds};
use learning::{Deal, Episode, Layout, Rows, begin};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rules::{GameKind, Seat, Seed};

use crate::given::{Command, failed, game, seed, wrong};

/// What `current_player` gives once the game is over.
const OVER: i32 = -4;

/// What an evaluated move is: its action, its text, the share of a win that it is worth, and the error of that.
type Valued = (usize, String, f64, f64);

/// A game that is stepped through.
#[pyclass(module = "arbiter_games._core", frozen)]
pub(crate) struct State {
    pub(crate) kind: GameKind,
    pub(crate) seed: Seed,
    pub(crate) deal: u64,
    layout: Arc<Layout>,
    episode: Mutex<Box<dyn Episode>>,
}

impl State {
    pub(crate) fn episode(&self) -> MutexGuard<'_, Box<dyn Episode>> {
        self.episode.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn options(&self) -> &str {
        &self.layout.options
    }

    fn with(&self, episode: Box<dyn Episode>) -> State {
        State {
            kind: self.kind.clone(),
            seed: self.seed.clone(),
            deal: self.deal,
            layout: Arc::clone(&self.layout),
            episode: Mutex::new(episode),
        }
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
        game_name: &str,
        options: &str,
        seed_text: &str,
        deal: u64,
        opponent: Option<&str>,
        learner: Option<usize>,
    ) -> PyResult<State> {
        let (kind, seed) = (game(game_name)?, seed(seed_text)?);
        let chance = Deal { seed: seed.clone(), number: deal };
        let episode = match opponent {
            None => begin(&kind, options, chance),
            Some(command) => Command::new(command)?.against(learner).begin(&kind, options, chance),
        };
        let episode = episode.map_err(failed)?;
        let layout = Arc::new(episode.layout());
        Ok(State { kind, seed, deal, layout, episode: Mutex::new(episode) })
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

    fn current_player(&self) -> i32 {
        self.episode().to_move().map_or(OVER, |seat| seat.index() as i32)
    }

    fn is_terminal(&self) -> bool {
        self.episode().to_move().is_none()
    }

    fn legal_actions(&self) -> Vec<usize> {
        self.episode().legal_actions().iter().map(|action| usize::from(*action)).collect()
    }

    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.layout.actions.len()];
        for action in self.episode().legal_actions() {
            mask.get_mut(usize::from(*action)).into_iter().for_each(|legal| *legal = 1);
        }
        PyArray1::from_vec(py, mask)
    }

    fn action_to_string(&self, action: usize) -> PyResult<String> {
        let text = self.episode().text(action);
        text.ok_or_else(|| wrong(format!("action {action} is not legal here")))
    }

    fn string_to_action(&self, text: &str) -> PyResult<usize> {
        let action = self.episode().number(text);
        action.ok_or_else(|| wrong(format!("`{}` is not a legal move here", text.escape_debug())))
    }

    fn apply_action(&self, py: Python<'_>, action: usize) -> PyResult<()> {
        // An opponent may think for long.
        py.detach(|| self.episode().act(action)).map_err(failed)
    }

    fn scores(&self) -> Vec<f64> {
        let episode = self.episode();
        let scores = episode.scores().map(|scores| scores.values().iter().map(|it| it.as_f64()));
        scores.map(Iterator::collect).unwrap_or_default()
    }

    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: usize,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = self.seat(player)?;
        let mut row = vec![0; self.layout.columns.len()];
        self.episode().observe(seat, &mut row);
        Ok(PyArray1::from_vec(py, row))
    }

    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let mut rows = Rows::default();
        self.episode().describe_moves(&mut rows);
        let shape = [rows.count, self.layout.move_columns.len()];
        PyArray1::from_vec(py, rows.values).reshape(shape)
    }

    fn information_state_string(&self, player: usize) -> PyResult<String> {
        Ok(self.episode().information_state(self.seat(player)?))
    }

    fn view(&self, player: usize) -> PyResult<String> {
        Ok(self.episode().view(self.seat(player)?))
    }

    fn request(&self) -> Option<String> {
        self.episode().request()
    }

    fn history(&self) -> Vec<String> {
        self.episode().events()
    }

    #[pyo3(signature = (chance=None))]
    fn clone(&self, chance: Option<&str>) -> PyResult<State> {
        let chance = chance.map(seed).transpose()?.map(|seed| Deal { seed, number: 0 });
        let copy = self.episode().copy(chance.as_ref()).map_err(failed)?;
        Ok(self.with(copy))
    }

    fn resample(&self, player: usize, chance: &str) -> PyResult<State> {
        let seat = self.seat(player)?;
        if self.kind.rules_id().is_some() {
            return Err(wrong(format!(
                "{} is not built in, so no other games are known",
                self.kind
            )));
        }
        let drawn = self.episode().resample(seat, &Deal { seed: seed(chance)?, number: 0 });
        let none = || wrong(format!("no game agrees with what player {player} knows"));
        Ok(self.with(drawn.ok_or_else(none)?))
    }

    fn choose(&self, py: Python<'_>, player: &str) -> PyResult<usize> {
        let Command { program, options } = Command::new(player)?;
        py.detach(|| self.episode().ask(&program, &options)).map_err(failed)
    }

    #[pyo3(signature = (worlds=None))]
    fn evaluate(&self, py: Python<'_>, worlds: Option<u32>) -> PyResult<Vec<Valued>> {
        let request = self.request().ok_or_else(|| wrong("the game is over"))?;
        let mut reviewer = reviewer_of(&self.kind, self.options()).ok_or_else(|| {
            wrong(format!("no values of moves are known for {} {}", self.kind, self.options()))
        })?;
        let first = self.legal_actions().first().and_then(|action| self.episode().text(*action));
        let first = first.ok_or_else(|| wrong("no move is legal"))?;
        let worlds = worlds.unwrap_or_else(|| usual_worlds(&self.kind));
        let opinion = py.detach(|| reviewer.review(&request, &first, worlds)).map_err(wrong)?;
        let valued = opinion.reviewed.moves.into_iter().filter_map(|rated| {
            let action = self.episode().number(&rated.mv)?;
            Some((action, rated.mv, rated.share, rated.error))
        });
        Ok(valued.collect())
    }

    fn begin(&self, py: Python<'_>, deal: u64) -> PyResult<State> {
        let _ = py;
        let mut copy = self.episode().copy(None).map_err(failed)?;
        copy.begin(deal).map_err(failed)?;
        Ok(State { deal, ..self.with(copy) })
    }

    fn __repr__(&self) -> String {
        let (name, options, deal) = (self.kind.name(), self.options(), self.deal);
        format!("<state of {name} {options}, deal {deal}>")
    }
}
