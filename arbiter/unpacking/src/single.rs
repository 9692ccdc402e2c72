//! A bot that is one source: it gets the other files of the starter in its language, and the library if it names it.

use std::io::Read;

use text::printable;

use super::landing::{Landing, Rights};
use super::path::{InnerPath, shown};
use super::refused::{NotUnpacked, Refused};
use conditions::bot::starter::Starter;

/// The most that a single source may hold, in bytes.
const LONGEST: u64 = 4 << 20;
/// The most that its name may have, in bytes.
const LONGEST_NAME: usize = 64;

/// Makes a bot of a source.
///
/// # Errors
///
/// [`NotUnpacked`]
pub(crate) fn unpack(
    content: impl Read,
    file: Option<&str>,
    bot: &str,
    landing: &mut Landing<'_>,
) -> Result<(), NotUnpacked> {
    let mut bytes = Vec::new();
    content.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Refused::TooLong(LONGEST).into());
    }
    let text = std::str::from_utf8(&bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or(Refused::Other("neither an archive nor text in UTF-8"))?;
    let file = file.ok_or(Refused::NoName)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_name = !file.is_empty() && file.len() <= LONGEST_NAME && !file.starts_with(['-', '.']);
    if !(is_name && file.chars().all(is_plain)) {
        return Err(Refused::BadName(shown(file.as_bytes())).into());
    }
    let starter = Starter::of_source(file).ok_or_else(|| Refused::Language {
        file: printable(file),
        known: Starter::ALL.map(|starter| format!(".{}", starter.ending())).join(", "),
    })?;
    let mut write = |name: &str, content: &[u8]| {
        let path = InnerPath::read(name.as_bytes(), &landing.bounds)?.ok_or(Refused::NoName)?;
        landing.file(&path, Rights::Plain, &mut &*content)
    };
    write(file, &bytes)?;
    for (name, content) in starter.around(file, text, bot) {
        write(name, content.as_bytes())?;
    }
    Ok(())
}
