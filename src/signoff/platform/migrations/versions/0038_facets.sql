-- The API computes the same facets, in `reviews/facets.py`.
drop function response_facets_of(text, text, text, jsonb);
drop function facet(text, text, text, jsonb);
