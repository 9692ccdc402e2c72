//! Whether what a program does is still wanted.

use std::fmt;

/// Says whether what a program does is still wanted; it is asked now and then while the program runs.
#[derive(Clone, Copy)]
pub struct Wanted<'a>(Option<&'a dyn Fn() -> bool>);

impl<'a> Wanted<'a> {
    /// It is wanted however long it takes.
    pub const ALWAYS: Wanted<'static> = Wanted(None);

    /// It is wanted as long as this says so.
    pub fn as_long_as(is_wanted: &'a dyn Fn() -> bool) -> Wanted<'a> {
        Wanted(Some(is_wanted))
    }

    /// Whether it is wanted now.
    pub fn is_wanted(self) -> bool {
        self.0.is_none_or(|is_wanted| is_wanted())
    }

    /// Whether it may cease to be wanted.
    #[cfg(target_os = "linux")]
    pub(super) fn may_end(self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wanted").field(&self.0.is_some()).finish()
    }
}
