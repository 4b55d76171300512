"""One file a kind of page: each turns published data into pages, and knows neither HTML nor MkDocs."""
