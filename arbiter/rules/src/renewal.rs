//! What becomes of a game whose rules are not compiled in and are ended by the machine.

/// The most times that other rules take the place of those that the machine has ended in one game.
pub const RENEWALS: u32 = 3;

/// What becomes of a game whose rules are ended by the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// It is void: it is played.
    Never,
    /// Other rules get its calls again, and it goes on, up to [`RENEWALS`] times: it is derived from its inputs.
    InGame,
}
