-- Whether an operator holds a posting is said by its state and its reason; the flag beside them could contradict both.
UPDATE posting SET reason = 'HELD_BY_OPERATOR', reason_subject = '', reason_params = '{"why":""}', reason_sentence = NULL
WHERE held AND state = 'held' AND reason IS DISTINCT FROM 'HELD_BY_OPERATOR';

-- A hold that outlived its state ends here: whatever works by itself is looked at.
UPDATE posting SET due_at = now()
WHERE held AND due_at IS NULL AND state IN ('discovered', 'mapped', 'deferred', 'posting', 'posted', 'writing_back');

ALTER TABLE posting DROP COLUMN held;
