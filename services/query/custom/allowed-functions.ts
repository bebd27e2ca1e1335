/** The functions that custom SQL may call, by kind: anything that reaches files, settings, the catalogue or unbounded output is absent. */

/** Names in lower case; operators have the names that the parser gives them. */
export const ALLOWED_FUNCTIONS = {
  aggregate:
    words(`any_value approx_count_distinct approx_quantile arg_max arg_max_null arg_min arg_min_null array_agg avg
    bit_and bit_or bit_xor bool_and bool_or corr count count_if count_star covar_pop covar_samp entropy favg first fsum
    geomean group_concat histogram kurtosis last list listagg mad max max_by mean median min min_by mode product quantile
    quantile_cont quantile_disc regr_intercept regr_r2 regr_slope skewness stddev stddev_pop stddev_samp string_agg sum
    var_pop var_samp variance`),
  window: words(
    `cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number`,
  ),
  text: words(`ascii chr concat concat_ws contains damerau_levenshtein ends_with hamming hash hex instr jaccard
    jaro_similarity jaro_winkler_similarity lcase left length levenshtein lower ltrim md5 nfc_normalize ord position prefix
    regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array replace reverse
    right rtrim sha256 split split_part starts_with str_split string_split string_split_regex strip_accents strlen strpos
    substr substring suffix translate trim ucase unicode upper url_decode url_encode`),
  date: words(`age century date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname
    dayofmonth dayofweek dayofyear decade epoch epoch_ms epoch_us get_current_timestamp hour isodow isoyear julian last_day
    make_date make_time make_timestamp microsecond millisecond minute month monthname now quarter second strftime strptime
    time_bucket timezone to_days to_hours to_microseconds to_milliseconds to_minutes to_months to_quarters to_seconds
    to_timestamp to_weeks to_years today transaction_timestamp try_strptime week weekday weekofyear year yearweek`),
  number:
    words(`abs acos add asin atan atan2 bit_count cbrt ceil ceiling cos cot degrees divide even exp factorial floor
    fmod gcd greatest isfinite isinf isnan lcm least ln log log10 log2 mod multiply pi pow power radians random round
    round_even sign sin sqrt subtract tan trunc xor`),
  condition: words('constant_or_null nullif typeof'),
  json: words(`json json_array json_array_length json_contains json_exists json_extract json_extract_path
    json_extract_path_text json_extract_string json_keys json_object json_type json_valid json_value to_json`),
  list: words(`array_contains array_extract array_length array_slice array_to_string cardinality element_at flatten len
    list_any_value list_append list_apply list_avg list_cat list_concat list_contains list_count list_distinct list_element
    list_extract list_filter list_first list_has list_has_all list_has_any list_indexof list_intersect list_last list_max
    list_min list_position list_prepend list_reduce list_reverse list_reverse_sort list_slice list_sort list_sum
    list_transform list_unique list_value map map_entries map_extract map_keys map_values row struct_extract struct_pack
    unnest`),
} as const;

/** The functions that operators and LIKE become. */
export const ALLOWED_OPERATORS: readonly string[] =
  words(`+ - * / // % ** ^ & | ~ << >> @ || ->> ^@ ~~ !~~ ~~* !~~* ~~~
  like_escape not_like_escape ilike_escape not_ilike_escape && @> <@`);

const ALL: ReadonlySet<string> = new Set([...Object.values(ALLOWED_FUNCTIONS).flat(), ...ALLOWED_OPERATORS]);

/** Whether custom SQL may call the function, ignoring case. */
export function isAllowedFunction(name: string): boolean {
  return ALL.has(name.toLowerCase());
}

function words(text: string): string[] {
  return text.split(/\s+/);
}
