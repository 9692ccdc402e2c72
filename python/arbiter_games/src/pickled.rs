//! What pickles of states and batches hold: no state of a generator or a player, but where it comes from and the moves.
//! So a pickle is read as any other input, and restored by playing again.

use learning::{Layout, Opponent};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rules::{GameKind, Seed};

use crate::given::{Command, game, wrong};

/// The number of the form of pickles.
const FORMAT: u32 = 1;

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Origin {
    /// The game as it was named.
    pub(crate) game: String,
    /// The digest of the rules of a game that is not built in.
    pub(crate) rules: Option<String>,
    pub(crate) columns: u32,
    pub(crate) options: String,
    pub(crate) seed: String,
    pub(crate) opponent: Option<String>,
    pub(crate) learner: Option<usize>,
}

impl Origin {
    /// The origin of a game that was named like this.
    pub(crate) fn new(
        named: &str,
        kind: &GameKind,
        layout: &Layout,
        seed: &Seed,
        opponent: Option<&Opponent>,
    ) -> Origin {
        Origin {
            game: named.to_owned(),
            rules: kind.rules_id().map(|id| id.digest.to_string()),
            columns: layout.version,
            options: layout.options.clone(),
            seed: hexadecimal(seed),
            opponent: opponent.map(Command::text),
            learner: opponent.and_then(|opponent| opponent.learner),
        }
    }

    /// The game, whose rules must be those of then.
    pub(crate) fn kind(&self) -> PyResult<GameKind> {
        let kind = game(&self.game)?;
        match kind.rules_id().map(|id| id.digest.to_string()) == self.rules {
            true => Ok(kind),
            false => Err(wrong(format!(
                "the rules of `{}` have changed since this was pickled: begin a new game",
                self.game.escape_debug()
            ))),
        }
    }

    pub(crate) fn opponent(&self) -> PyResult<Option<Opponent>> {
        let command = self.opponent.as_deref().map(Command::new).transpose()?;
        Ok(command.map(|command| command.against(self.learner)))
    }

    /// Checks the version of the columns and actions.
    pub(crate) fn must_fit(&self, columns: u32) -> PyResult<()> {
        match self.columns == columns {
            true => Ok(()),
            false => Err(wrong(format!(
                "this was pickled with version {} of the columns of {}, and they have version {columns} now: begin a \
                 new game",
                self.columns,
                self.game.escape_debug()
            ))),
        }
    }
}

/// A seed as [`seed`](crate::given::seed) reads it.
pub(crate) fn hexadecimal(seed: &Seed) -> String {
    seed.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a pickle calls, and with what: the format, the version and the content.
pub(crate) type Reduced<'py, T> = (Bound<'py, PyAny>, (u32, &'static str, T));

/// What a pickle of this content is, which this function of the module restores.
pub(crate) fn reduced<'py, T>(
    py: Python<'py>,
    restore: &str,
    content: T,
) -> PyResult<Reduced<'py, T>> {
    let restore = py.import("arbiter_games._core")?.getattr(restore)?;
    Ok((restore, (FORMAT, VERSION, content)))
}

/// What a pickle of this version holds.
pub(crate) fn told_by<'py, T: for<'a> FromPyObject<'a, 'py>>(
    format: u32,
    package: &str,
    told: &Bound<'py, PyTuple>,
) -> PyResult<T> {
    if (format, package) != (FORMAT, VERSION) {
        return Err(wrong(format!(
            "pickled by version {} of arbiter-games, but this is version {VERSION}: keep finished games with save_log",
            package.escape_debug()
        )));
    }
    let damaged = || wrong("the pickle is damaged: pickle the game again");
    told.get_item(0).ok().and_then(|told| told.extract::<T>().ok()).ok_or_else(damaged)
}
