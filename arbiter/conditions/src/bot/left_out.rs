//! Files that programs leave beside those of a bot, and that are no part of it.

/// Names of files and folders that are left out wherever they lie.
const NAMES: [&str; 9] = [
    // Histories of sources.
    ".git",
    ".hg",
    ".svn",
    // What desktops note about a folder.
    ".DS_Store",
    "__MACOSX",
    "Thumbs.db",
    "desktop.ini",
    // What editors keep for a folder.
    ".idea",
    ".vscode",
];

/// How names begin and end that are left out: notes of a Mac, and what editors keep of a file that is open.
const AFFIXES: [(&str, &str); 6] =
    [("._", ""), (".#", ""), ("#", "#"), ("", "~"), (".", ".swp"), (".", ".swo")];

/// What Python and its tools make of sources. A bot that has it starts faster, but it is no other bot.
const CACHES: [&str; 5] =
    ["__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints"];

/// Whether a file or folder with this name is left out of copies of a bot's folder.
pub fn is_left_out(name: &str) -> bool {
    let fits = |(begin, end): &(&str, &str)| {
        name.len() > begin.len() + end.len() && name.starts_with(begin) && name.ends_with(end)
    };
    NAMES.contains(&name) || AFFIXES.iter().any(fits)
}

/// Whether a file or folder with this name makes no difference between two versions of a bot.
pub fn makes_no_difference(name: &str) -> bool {
    is_left_out(name) || CACHES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_editors_and_desktops_leave_is_no_part_of_a_bot() {
        for name in [".git", ".DS_Store", "._bot.py", ".bot.py.swp", "bot.py~", "#bot#"] {
            assert!(is_left_out(name) && makes_no_difference(name), "{name}");
        }
        for name in ["bot.py", ".env", "~", "#", "swp", "git", "bot.swp.py", ".venv", "bot.swp"] {
            assert!(!is_left_out(name) && !makes_no_difference(name), "{name}");
        }
        assert!(!is_left_out("__pycache__") && makes_no_difference("__pycache__"));
    }
}
