//! Remote bots over a proxy with TLS that cuts their connections.

mod cuts;
