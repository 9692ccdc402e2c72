//! The pages of a report as HTML.

pub(super) mod bot;
mod figures;
pub(crate) mod games;
pub(crate) mod layout;
mod machines;
mod out;
pub(super) mod overview;
mod proof;
mod several;
pub(super) mod standings;

use std::fs;
use std::io;
use std::path::Path;

pub(super) use layout::Location;
pub(super) use several::several;

use crate::report::FIRST;
use crate::report::reading::Reading;

/// Writes all pages of one source into its folder, which lies so deep below the root.
pub(super) fn write(reading: &Reading, folder: &Path, location: Location) -> io::Result<()> {
    fs::write(folder.join(FIRST), overview::page(reading, location).into_string())?;
    fs::write(folder.join("game.html"), games::viewer(reading, location).into_string())?;
    let bots = folder.join("bots");
    fs::create_dir_all(&bots)?;
    for place in 0..reading.series.header().players.len() {
        let page = bot::page(reading, place, location.below());
        fs::write(bots.join(bot::file(place)), page.into_string())?;
    }
    Ok(())
}
