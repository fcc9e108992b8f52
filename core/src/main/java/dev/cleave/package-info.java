/**
 * The vocabulary that users import: annotations, {@link dev.cleave.Pending}, {@link dev.cleave.Cleave} and the exception
 * family. Imports nothing of ours; anybody may use it. Null is never a value unless a type says so.
 */
@NullMarked
package dev.cleave;

import org.jspecify.annotations.NullMarked;
