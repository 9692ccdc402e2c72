//! Custom games: rules that are a program or a module, in everything that plays and reads games.

mod commands;
