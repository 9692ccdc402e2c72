//! Many games at once as a class of Python, with arrays of numpy.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use learning::Stepped;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::given::{Command, failed, game, seed, wrong};

/// Where the games stand: observations, masks, seats to move, scores of ended games, and which have ended.
type Told<'py> = (
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
pub(crate) struct Batch(Mutex<learning::Batch>);

impl Batch {
    fn batch(&self) -> MutexGuard<'_, learning::Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Steps with these actions, or with none, and makes arrays of what the batch tells.
    fn told<'py>(&self, py: Python<'py>, actions: Option<&[usize]>) -> PyResult<Told<'py>> {
        let (size, columns, names, seats) = {
            let batch = self.batch();
            let layout = batch.layout();
            (batch.size(), layout.columns.len(), layout.actions.len(), layout.seats)
        };
        let mut observations = vec![0; size * columns];
        let mut masks = vec![0; size * names];
        let mut to_move = vec![0; size];
        let mut scores = vec![0.0; size * seats];
        let mut ended = vec![false; size];
        let stepped = Stepped {
            observations: &mut observations,
            masks: &mut masks,
            seats: &mut to_move,
            scores: &mut scores,
            ended: &mut ended,
        };
        // The lock is taken and left without the interpreter, so that a thread that waits for it with the
        // interpreter does not stop this one.
        py.detach(|| match actions {
            Some(actions) => self.batch().step(actions, stepped),
            None => self.batch().observe(stepped),
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
    fn new(
        game_name: &str,
        options: &str,
        seed_text: &str,
        size: usize,
        threads: usize,
        opponent: Option<&str>,
        learner: Option<usize>,
    ) -> PyResult<Batch> {
        let opponent = opponent.map(Command::new).transpose()?.map(|it| it.against(learner));
        let threads = NonZeroUsize::new(threads).filter(|threads| threads.get() <= 1024);
        let threads = threads.ok_or_else(|| wrong("threads, expected 1 to 1024"))?;
        let (kind, seed) = (game(game_name)?, seed(seed_text)?);
        let batch = learning::Batch::new(&kind, options, &seed, size, opponent.as_ref(), threads);
        Ok(Batch(Mutex::new(batch.map_err(failed)?)))
    }

    #[getter]
    fn options(&self) -> String {
        self.batch().layout().options.clone()
    }

    #[getter]
    fn version(&self) -> u32 {
        self.batch().layout().version
    }

    #[getter]
    fn num_players(&self) -> usize {
        self.batch().layout().seats
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch().layout().columns.clone()
    }

    #[getter]
    fn action_names(&self) -> Vec<String> {
        self.batch().layout().actions.clone()
    }

    #[getter]
    fn move_columns(&self) -> Vec<String> {
        self.batch().layout().move_columns.clone()
    }

    fn __len__(&self) -> usize {
        self.batch().size()
    }

    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Told<'py>> {
        self.told(py, None)
    }

    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Told<'py>> {
        // A negative number is as illegal as one beyond the last.
        let whole = |action: &i64| usize::try_from(*action).unwrap_or(usize::MAX);
        let actions: Vec<usize> = actions.as_array().iter().map(whole).collect();
        self.told(py, Some(&actions))
    }

    fn random_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        actions(py, self.batch().random_actions())
    }

    fn choose<'py>(&self, py: Python<'py>, player: &str) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let Command { program, options } = Command::new(player)?;
        let chosen = py.detach(|| self.batch().ask(&program, &options)).map_err(failed)?;
        Ok(actions(py, chosen))
    }

    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Moves<'py>> {
        let batch = self.batch();
        let width = batch.layout().move_columns.len();
        let (rows, counts) = batch.describe_moves();
        let shape = [rows.count, width];
        Ok((PyArray1::from_vec(py, rows.values).reshape(shape)?, actions(py, counts)))
    }
}

fn actions(py: Python<'_>, numbers: Vec<usize>) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_vec(py, numbers.into_iter().map(|number| number as i64).collect())
}
