//! The module `arbiter_games._core`: episodes and batches of the crate `learning`, for Python.
//!
//! What is here only changes types: arrays for rows, exceptions for errors. Everything that a game is lies in
//! `rules` and `learning`.

mod batch;
mod given;
mod log;
mod pickled;
mod played;
mod state;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<state::State>()?;
    module.add_class::<batch::Batch>()?;
    module.add_function(wrap_pyfunction!(log::save_log, module)?)?;
    module.add_function(wrap_pyfunction!(given::whole, module)?)?;
    module.add_function(wrap_pyfunction!(state::begun_state, module)?)?;
    module.add_function(wrap_pyfunction!(state::restored_state, module)?)?;
    module.add_function(wrap_pyfunction!(batch::restored_batch, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
