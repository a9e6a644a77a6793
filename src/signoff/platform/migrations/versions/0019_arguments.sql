alter table review_results
    -- IDs of the fields whose value differs from the suggestion. Null for decisions made before it was kept.
    add column changed            text[],
    -- The approved values in the shape that was sent. Null where they are the same as `data`, and for a review that
    -- was decided before they were kept.
    add column approved_arguments json;
