-- Why a posting rests is kept as a code with its parameters, as JSON text; the sentence is made where somebody reads it. Rows
-- from before keep their sentence, which is shown as it was written.
ALTER TABLE posting ADD COLUMN reason_params text;

-- What an ERP lacks stood only in the sentence, behind ours. It becomes the subject, like that of every other reason.
UPDATE posting SET
  reason_params = json_build_object(
    'refusal', coalesce(reason_subject, ''),
    'message', substr(reason_sentence, length('The ERP does not know something the rules use. ') + 1))::text,
  reason_subject = substr(reason_sentence, length('The ERP does not know something the rules use. ') + 1)
WHERE reason = 'ERP_CONFIGURATION' AND starts_with(reason_sentence, 'The ERP does not know something the rules use. ');
