//! A path as a word for a shell, for commands that can be copied from a page.

use std::path::Path;

use rules::text::printable;

/// A path as one word that names the same file in a shell, and can be shown in one line.
///
/// What is not printed stands in the quotes `$'…'` of bash, ksh and zsh, since other quotes would
/// have to hold it as it is.
pub(super) fn word(path: &Path) -> String {
    // What begins with a dash would be an option.
    let dashed = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    let path = if dashed { Path::new(".").join(path) } else { path.to_owned() };
    match path.to_str().filter(|text| printable(text) == *text) {
        Some(text) => shlex::try_quote(text).map_or_else(|_| escaped(&path), |it| it.into_owned()),
        None => escaped(&path),
    }
}

fn escaped(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let escaped: String = bytes
        .map(|byte| match byte {
            b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
            b' '..=b'~' => char::from(*byte).to_string(),
            _ => format!("\\{byte:03o}"),
        })
        .collect();
    format!("$'{escaped}'")
}
