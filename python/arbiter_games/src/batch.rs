//! Many games at once as a class of Python, with arrays of numpy.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use learning::{BatchGame, Layout, Opponent, StepOutput};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use rules::{GameKind, Seed};

use crate::given::{Command, failed, game, seed, wrong};
use crate::pickled::{Origin, Reduced, reduced, told_by};

/// The most threads of a batch.
const MOST_THREADS: usize = 1024;

/// Where the games stand: observations, masks, seats to move, scores of ended games, and which have ended.
type BatchState<'py> = (
    Bound<'py, PyArray2<i8>>,
    Bound<'py, PyArray2<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<bool>>,
);

/// Rows of legal actions, and the number of rows of each game.
type Moves<'py> = (Bound<'py, PyArray2<i8>>, Bound<'py, PyArray1<i64>>);

/// Many games that step together.
#[pyclass(module = "arbiter_games._core", frozen)]
pub(crate) struct Batch {
    layout: Layout,
    size: usize,
    games: Mutex<learning::Batch>,
    kind: GameKind,
    /// The game as it was named.
    named: String,
    seed: Seed,
    threads: NonZeroUsize,
    opponent: Option<Opponent>,
}

/// A batch as a pickle holds it: where it comes from, its threads, the words that random actions have taken, and for
/// each game the deal and the moves of all players.
type Pickled = (Origin, usize, u128, Vec<(u64, Vec<String>)>);

impl Batch {
    /// Asks or changes the games. The lock is taken and left without the interpreter, so that a thread that waits for
    /// it stops no other.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut learning::Batch) -> T + Send,
    ) -> T {
        py.detach(|| ask(&mut self.games.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Steps with these actions, or with none, and makes arrays of what the batch tells.
    fn state<'py>(&self, py: Python<'py>, actions: Option<&[usize]>) -> PyResult<BatchState<'py>> {
        let Layout { columns, actions: names, seats, .. } = &self.layout;
        let (size, columns, names, seats) = (self.size, columns.len(), names.len(), *seats);
        let mut observations = vec![0; size * columns];
        let mut masks = vec![0; size * names];
        let mut to_move = vec![0; size];
        let mut scores = vec![0.0; size * seats];
        let mut ended = vec![false; size];
        let stepped = StepOutput {
            observations: &mut observations,
            masks: &mut masks,
            seats: &mut to_move,
            scores: &mut scores,
            ended: &mut ended,
        };
        self.with(py, |batch| match actions {
            Some(actions) => batch.step(actions, stepped),
            None => batch.observe(stepped),
        })
        .map_err(failed)?;
        Ok((
            PyArray1::from_vec(py, observations).reshape([size, columns])?,
            PyArray1::from_vec(py, masks).reshape([size, names])?,
            PyArray1::from_vec(py, to_move),
            PyArray1::from_vec(py, scores).reshape([size, seats])?,
            PyArray1::from_vec(py, ended),
        ))
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game_name, options, seed_text, size, threads, opponent=None, learner=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        game_name: &str,
        options: &str,
        seed_text: &str,
        size: usize,
        threads: usize,
        opponent: Option<&str>,
        learner: Option<usize>,
    ) -> PyResult<Batch> {
        let opponent = opponent.map(Command::new).transpose()?.map(|it| it.against(learner));
        let count = self::threads(threads)?;
        let (kind, seed) = (game(game_name)?, seed(seed_text)?);
        let batch = py
            .detach(|| learning::Batch::new(&kind, options, &seed, size, opponent.as_ref(), count));
        let batch = batch.map_err(failed)?;
        let layout = batch.layout().clone();
        let (games, named) = (Mutex::new(batch), game_name.to_owned());
        Ok(Batch { layout, size, games, kind, named, seed, threads: count, opponent })
    }

    #[getter]
    fn options(&self) -> String {
        self.layout.options.clone()
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

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Batch> {
        Batch::restored(py, self.pickled(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Pickled>> {
        reduced(py, "restored_batch", self.pickled(py))
    }

    fn __len__(&self) -> usize {
        self.size
    }

    fn observe<'py>(&self, py: Python<'py>) -> PyResult<BatchState<'py>> {
        self.state(py, None)
    }

    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<BatchState<'py>> {
        // A negative number is as illegal as one beyond the last.
        let whole = |action: &i64| usize::try_from(*action).unwrap_or(usize::MAX);
        let actions: Vec<usize> = actions.as_array().iter().map(whole).collect();
        self.state(py, Some(&actions))
    }

    fn random_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        actions(py, self.with(py, |batch| batch.random_actions()))
    }

    fn choose<'py>(&self, py: Python<'py>, player: &str) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let Command { program, options } = Command::new(player)?;
        let chosen = self.with(py, |batch| batch.ask(&program, &options)).map_err(failed)?;
        Ok(actions(py, chosen))
    }

    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Moves<'py>> {
        let width = self.layout.move_columns.len();
        let (rows, counts) = self.with(py, |batch| batch.describe_moves());
        let shape = [rows.count, width];
        Ok((PyArray1::from_vec(py, rows.values).reshape(shape)?, actions(py, counts)))
    }
}

fn threads(count: usize) -> PyResult<NonZeroUsize> {
    let threads = NonZeroUsize::new(count).filter(|threads| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| wrong(format!("{count} threads, expected 1 to {MOST_THREADS}")))
}

impl Batch {
    fn pickled(&self, py: Python<'_>) -> Pickled {
        let (games, position) = self.with(py, |batch| batch.standing());
        let Batch { named, kind, layout, seed, opponent, .. } = self;
        let origin = Origin::new(named, kind, layout, seed, opponent.as_ref());
        let games = games.into_iter().map(|BatchGame { deal, moves }| (deal, moves)).collect();
        (origin, self.threads.get(), position, games)
    }

    /// The batch that was pickled like this.
    fn restored(py: Python<'_>, pickled: Pickled) -> PyResult<Batch> {
        let (origin, count, position, games) = pickled;
        let (kind, opponent, seed) = (origin.kind()?, origin.opponent()?, seed(&origin.seed)?);
        let threads = threads(count)?;
        let game = |(deal, moves)| BatchGame { deal, moves };
        let games: Vec<BatchGame> = games.into_iter().map(game).collect();
        let batch = py.detach(|| {
            let (standing, opponent) = ((&games[..], position), opponent.as_ref());
            learning::Batch::resume(&kind, &origin.options, &seed, standing, opponent, threads)
        });
        let batch = batch.map_err(failed)?;
        let layout = batch.layout().clone();
        origin.must_fit(layout.version)?;
        let (size, games, named) = (batch.size(), Mutex::new(batch), origin.game);
        Ok(Batch { layout, size, games, kind, named, seed, threads, opponent })
    }
}

fn actions(py: Python<'_>, numbers: Vec<usize>) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_vec(py, numbers.into_iter().map(|number| number as i64).collect())
}

#[pyfunction]
#[pyo3(signature = (format, package, *told))]
pub(crate) fn restored_batch(
    py: Python<'_>,
    format: u32,
    package: &str,
    told: &Bound<'_, PyTuple>,
) -> PyResult<Batch> {
    Batch::restored(py, told_by::<Pickled>(format, package, told)?)
}
