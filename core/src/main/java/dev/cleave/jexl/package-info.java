/**
 * Expressions over the arguments of calls, in the language of Apache Commons JEXL 3. Nobody names it: it is found by the
 * service loader.
 */
@NullMarked
package dev.cleave.jexl;

import org.jspecify.annotations.NullMarked;
