package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a class whose objects are served: an object executes one request at a time, in the order in which they arrive, also
 * while a request waits for a call that it has made itself. Its fields need no locks.
 *
 * <p>A call that returns to an object which waits for that very call can never begin: it fails with a
 * {@link WaitCycleException} whose message says where the object waits.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Serial {}
