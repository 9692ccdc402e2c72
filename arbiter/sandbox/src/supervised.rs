//! A program under supervision, as often as it is asked.

use std::io;

use super::call::Observed;
#[cfg(target_os = "linux")]
use super::keeper::Kept;
use super::limits::Limits;
use super::portable::Unkept;
use super::request::{Left, Request, Wanted};
use super::start::StartError;

/// A program in a scratch folder, which is removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct Supervised(pub(super) Way);

#[derive(Debug)]
pub(super) enum Way {
    /// A keeper.
    #[cfg(target_os = "linux")]
    Kept(Box<Kept>),
    /// The referee itself.
    Unkept(Box<Unkept>),
}

/// Calls a method of the supervisor of a program.
macro_rules! by_way {
    ($self:ident, $way:ident => $call:expr) => {
        match &mut $self.0 {
            #[cfg(target_os = "linux")]
            Way::Kept($way) => $call,
            Way::Unkept($way) => $call,
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
            Way::Kept(_) => true,
            Way::Unkept(_) => false,
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
            Way::Kept(kept) => kept.ask_while(wanted, request, limits),
            Way::Unkept(unkept) => {
                let _ = wanted;
                unkept.ask(request, limits)
            }
        }
    }

    /// Ends the program if it lives on: its input ends, and a moment later it is killed.
    pub fn game_over(&mut self) {
        by_way!(self, way => way.game_over());
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
        by_way!(self, way => way.probe())
    }

    /// Gives the program a new, empty folder.
    pub fn renew_folder(&mut self) -> io::Result<()> {
        by_way!(self, way => way.renew_folder())
    }

    /// The memory that a program that lives on has between two turns, in bytes, as its limit counts it; none if it does
    /// not run, or is not limited here.
    pub fn memory(&mut self) -> Option<u64> {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Way::Kept(kept) => kept.memory(),
            Way::Unkept(_) => None,
        }
    }

    /// Files that the program has left in its folder.
    pub fn left(&mut self) -> Left {
        by_way!(self, way => way.left())
    }

    /// Takes what its user should know and no game depends on, one line each: scratch folders that
    /// could not be removed.
    pub fn take_warnings(&mut self) -> Vec<String> {
        by_way!(self, way => way.take_warnings())
    }

    /// Removes what it leaves; it is started no more.
    pub fn close(&mut self) {
        by_way!(self, way => way.close());
    }
}
