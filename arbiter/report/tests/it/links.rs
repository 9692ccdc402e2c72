//! The links of the pages of a report.

use std::fs;
use std::path::{Path, PathBuf};

use record::stderr_texts::StderrVisibility;
use report::ReportExtras;
use tempfile::TempDir;

/// All pages in a folder and below it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of_entry = |path: PathBuf| match path.is_dir() {
        true => pages(&path),
        false => vec![path],
    };
    let mut found: Vec<PathBuf> = entries.flat_map(of_entry).collect();
    found.retain(|path| path.extension().is_some_and(|it| it == "html"));
    found
}

/// The addresses that a page leads to or loads, without those of other hosts and of places on it.
fn addresses(page: &str) -> Vec<&str> {
    let addresses = ["href=\"", "src=\""].into_iter().flat_map(|it| page.split(it).skip(1));
    let addresses = addresses.filter_map(|rest| rest.split(['"', '#']).next());
    addresses.filter(|it| !it.is_empty() && !it.contains(':')).collect()
}

/// The way back from the report of one of several sources led two folders too far up.
#[test]
fn every_link_leads_to_a_file() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let source = |name: &str| examples.join(name);
    let sources = [source("matches/coup.jsonl"), source("tournaments/coup")];
    for sources in [&sources[..], &sources[..1]] {
        let folder = TempDir::new().unwrap();
        let report = folder.path().join("report");
        let content = ReportExtras { review: None, errors: StderrVisibility::Hidden };
        report::write(sources, &report, content).unwrap();
        let pages = pages(&report);
        assert!(pages.len() > 2 * sources.len(), "{pages:?}");
        for page in pages {
            let text = fs::read_to_string(&page).unwrap();
            let addresses = addresses(&text);
            assert!(addresses.len() > 3, "{page:?}: {addresses:?}");
            for address in addresses {
                let found = page.parent().unwrap().join(address).canonicalize();
                let is_inside =
                    found.is_ok_and(|it| it.starts_with(report.canonicalize().unwrap()));
                assert!(is_inside, "{page:?} leads to {address}");
            }
        }
    }
}
