//! What commands that play games make of their arguments.

use rules::{GameKind, Seed};

use crate::failure::Failure;

/// The options of a game for as many seats as there are bots.
pub(super) fn options(
    kind: GameKind,
    seats: Option<usize>,
    bots: usize,
) -> Result<String, Failure> {
    let seats = seats.unwrap_or(bots);
    if seats != bots {
        let problem = format!("{seats} seats and {bots} bots, expected one bot for each seat");
        return Err(Failure::Usage(problem));
    }
    let options = format!("seats={seats}");
    kind.check_options(&options).map_err(|error| Failure::Usage(error.to_string()))
}

/// The seed that was given, or one that nobody chose.
pub(super) fn seed_or_drawn(given: Option<Seed>) -> Result<Seed, Failure> {
    if let Some(seed) = given {
        return Ok(seed);
    }
    let mut seed = Seed([0; 32]);
    rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut seed.0)
        .map_err(|error| Failure::Ours(format!("no random seed to be had: {error}")))?;
    Ok(seed)
}
