//! The values that were asked for last, computed once for all who ask.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many values are kept: threads that work on neighbouring games ask for two at most, and
/// clones share them.
const KEPT: usize = 4;

/// A few values by their numbers. Nothing that can be seen depends on which are kept, so all are
/// equal.
pub(super) struct Recent<T>(Arc<Mutex<Vec<Numbered<T>>>>);

/// The number of a value and its cell.
type Numbered<T> = (u64, Cell<T>);

/// A value, or the place where the first who asks for it computes it while others wait.
type Cell<T> = Arc<OnceLock<Arc<T>>>;

impl<T> Recent<T> {
    /// The value with this number, which is always computed in the same way.
    pub(super) fn get(&self, number: u64, compute: impl FnOnce() -> T) -> Arc<T> {
        Arc::clone(self.cell(number).get_or_init(|| Arc::new(compute())))
    }

    /// The cell of a value, which moves to the end; the first one gives way to a new one.
    fn cell(&self, number: u64) -> Cell<T> {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = cells.iter().position(|(of, _)| *of == number);
        let cell = match found {
            Some(place) => cells.remove(place).1,
            None => Cell::default(),
        };
        if cells.len() == KEPT {
            cells.remove(0);
        }
        cells.push((number, Arc::clone(&cell)));
        cell
    }
}

impl<T> Clone for Recent<T> {
    fn clone(&self) -> Self {
        Recent(Arc::clone(&self.0))
    }
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent(Arc::default())
    }
}

impl<T> fmt::Debug for Recent<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recent")
    }
}

impl<T> PartialEq for Recent<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Recent<T> {}
