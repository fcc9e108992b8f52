package dev.cleave.node;

import dev.cleave.Later;
import dev.cleave.Remote;
import java.util.List;

/** A remote interface whose results come later, and which passes on what comes. */
@Remote
interface Press {

    /** As many ones. */
    Later.Value<int[]> ones(int count);

    /** The same, for callers that wait. */
    @Later
    int[] plain(int count);

    /** Twice the argument, for callers that wait. */
    int[] twice(@Later int[] values);

    /** The same of an argument that comes with the call. */
    int[] twiceWhole(int[] values);

    /** Rows of ones, null in the place of the second. */
    Later.Value<int[][]> rows(int count, int length);

    /** What comes as one. */
    Later.Value<List<String>> words(int count);

    /** A text of so many letters, for callers that wait. */
    @Later
    String text(int letters);

    /** Nothing, or a value that is null. */
    Later.Value<String> none(boolean isValue);

    /** The argument, as it comes. */
    Later.Value<int[]> same(Later.Value<int[]> values);

    /** What the next one makes, as it comes. */
    Later.Value<int[]> onesOfNext(int count);

    /** What the next one makes of the argument, as it comes. */
    Later.Value<int[]> sameOfNext(Later.Value<int[]> values);

    /** The sum of the argument, taken while it comes. */
    long sum(Later.Value<int[]> values);

    /** The sum of the argument, by the next one. */
    long sumOfNext(Later.Value<int[]> values);

    /** Throws before anything comes. */
    Later.Value<int[]> fails();

    /** How many letters a text has. */
    int letters(String text);

    /** The sum of all rows, taken as they come. */
    long cells(Later.Value<int[][]> rows);

    /** How many there are. */
    int count(Later.Value<List<String>> words);

    /** What comes: "nothing", "null" or the text. */
    String told(Later.Value<String> text);

    int small(int value);
}
