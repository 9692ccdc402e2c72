//! Every command of the other documents than the README works.

use tests::documented::run_pages;

#[test]
fn every_command_in_a_document_is_run_or_marked() {
    let count = run_pages(|page| page != "README.md");
    assert!(count > 60, "only {count} commands were found");
}
