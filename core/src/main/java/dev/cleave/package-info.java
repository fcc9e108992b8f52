/**
 * The vocabulary that users import: annotations, {@link dev.cleave.Pending}, {@link dev.cleave.Cleave} and the exception
 * family. Imports no other package of ours; every package may use it. Null is never a value unless a type says so.
 */
@NullMarked
package dev.cleave;

import org.jspecify.annotations.NullMarked;
