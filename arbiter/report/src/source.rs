//! The source of a report: a log, or the folder of a tournament.

use std::path::{Path, PathBuf};

use crate::error::ReportError;
use contest::tournament::folder::{self, shown};
use contest::tournament::parts::Parts;
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::Reader;
use contest::tournament::read;
use contest::tournament::sharded::Sharding;
use league::marks::RoundMarks;

#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    plan: Option<Box<Plan>>,
    /// What corrections of its league say of it.
    marks: RoundMarks,
}

impl Source {
    /// The log or the tournament at this path.
    pub(super) fn open(path: &Path) -> Result<Source, ReportError> {
        if !path.exists() {
            let problem = format!("no log or folder `{}`", shown(path));
            return Err(ReportError::Usage(problem));
        }
        let plan = match path.is_dir() {
            true => {
                let plan = read::plan(path, Reader::Looks);
                let problem = |error| ReportError::Usage(format!("`{}`: {error}", shown(path)));
                Some(Box::new(plan.map_err(problem)?))
            }
            false => None,
        };
        Ok(Source { path: path.to_owned(), plan, marks: RoundMarks::default() })
    }

    /// The same with these marks at its games.
    pub(super) fn marked(self, marks: RoundMarks) -> Source {
        Source { marks, ..self }
    }

    pub(super) fn marks(&self) -> &RoundMarks {
        &self.marks
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The parts of its tournament before it, whose games count in the standings.
    pub(super) fn before(&self) -> Vec<PathBuf> {
        self.plan.as_ref().map_or(Vec::new(), |_| Parts::before(&self.path))
    }

    /// Returns true if a later part of its tournament continues from it.
    pub(super) fn has_later_part(&self) -> bool {
        self.plan.is_some() && Parts::has_later(&self.path)
    }

    pub(super) fn plan(&self) -> Option<&Plan> {
        self.plan.as_deref()
    }

    pub(super) fn log(&self) -> PathBuf {
        match self.plan {
            Some(_) => folder::games(&self.path),
            None => self.path.clone(),
        }
    }

    /// The plan and the sharding, if it is played in shards that are not merged yet.
    pub(super) fn in_shards(&self) -> Result<Option<(&Plan, Sharding)>, ReportError> {
        let Some(plan) = self.plan() else { return Ok(None) };
        let found = read::in_shards(&self.path);
        let found = found
            .map_err(|error| ReportError::Usage(format!("`{}`: {error}", shown(&self.path))))?;
        Ok(found.map(|(_, sharding)| (plan, sharding)))
    }

    /// Returns true while games are being added to it, as far as can be told.
    pub(super) fn is_running(&self) -> bool {
        self.plan.is_some() && folder::is_in_use(&self.path)
    }
}
