//! A program under supervision, as often as it is asked.

use std::io;

use super::call::Observed;
#[cfg(target_os = "linux")]
use super::keeper::KeptProgram;
use super::limits::Limits;
use super::portable::PortableProgram;
use super::request::{LeftFiles, Request, Wanted};
use super::start::StartError;

/// A program in a scratch folder, which is removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct Supervised(pub(super) Implementation);

/// A program of one of the supervisors.
#[derive(Debug)]
pub(super) enum Implementation {
    /// A keeper.
    #[cfg(target_os = "linux")]
    Kept(Box<KeptProgram>),
    /// The referee itself.
    Portable(Box<PortableProgram>),
}

/// Calls a method of a program, whichever supervisor it has.
macro_rules! dispatch {
    ($self:ident, $program:ident => $call:expr) => {
        match &mut $self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept($program) => $call,
            Implementation::Portable($program) => $call,
        }
    };
}

impl Supervised {
    /// Starts the program, asks it once, and returns when it has ended; asked by a
    /// [turn](Request::Turn), one that has answered lives on.
    ///
    /// This blocks for the time limit at most, and for what it takes to end the program.
    pub fn ask(&mut self, request: Request<'_>, limits: &Limits) -> Observed {
        self.ask_while(Wanted::ALWAYS, request, limits)
    }

    /// True if [`ask_while`](Supervised::ask_while) ends a program whose answer is not wanted any more.
    pub fn ends_on_request(&self) -> bool {
        match &self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept(_) => true,
            Implementation::Portable(_) => false,
        }
    }

    /// Asks the program as [`ask`](Supervised::ask) does, and ends it once its answer is not wanted any more, where
    /// [it can](Supervised::ends_on_request): then it is as if the machine had failed.
    pub fn ask_while(
        &mut self,
        wanted: Wanted<'_>,
        request: Request<'_>,
        limits: &Limits,
    ) -> Observed {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept(kept) => kept.ask_while(wanted, request, limits),
            Implementation::Portable(portable) => {
                let _ = wanted;
                portable.ask(request, limits)
            }
        }
    }

    /// Ends the program if it lives on: its input ends, and a moment later it is killed.
    pub fn game_over(&mut self) {
        dispatch!(self, program => program.game_over());
    }

    /// Tells whether the program can be started at all: starts it with empty input, and kills it at
    /// once.
    ///
    /// This does not tell whether the program works, nor whether a program that it starts in
    /// turn exists: `#!/usr/bin/env nosuch` can be started.
    ///
    /// # Errors
    ///
    /// [`StartError::Program`] if it cannot be started, [`StartError::Referee`] if that could
    /// not be found out.
    pub fn probe(&mut self) -> Result<(), StartError> {
        dispatch!(self, program => program.probe())
    }

    /// Gives the program a new, empty folder.
    pub fn renew_folder(&mut self) -> io::Result<()> {
        dispatch!(self, program => program.renew_folder())
    }

    /// The memory that a program that lives on has between two turns, in bytes, as its limit counts it; none if it does
    /// not run, or is not limited here.
    pub fn memory(&mut self) -> Option<u64> {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept(kept) => kept.memory(),
            Implementation::Portable(_) => None,
        }
    }

    /// Files that the program has left in its folder.
    pub fn left(&mut self) -> LeftFiles {
        dispatch!(self, program => program.left())
    }

    /// Takes what its user should know and no game depends on, one line each: scratch folders that
    /// could not be removed.
    pub fn take_warnings(&mut self) -> Vec<String> {
        dispatch!(self, program => program.take_warnings())
    }

    /// Removes what it leaves; it is started no more.
    pub fn close(&mut self) {
        dispatch!(self, program => program.close());
    }
}
