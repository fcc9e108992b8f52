package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a method of a class that implements a remote interface: its calls run on the event thread of the connection, without
 * the change to a worker and back, which costs more than a short method.
 *
 * <p>The method may compute for some microseconds. It may not wait for a lock that others hold for long, a file, a
 * socket, a timer or a remote call, whose reply that very thread may have to read. While it runs, all other connections
 * of the thread wait, and so do cancellations of calls. A method that takes longer than ten milliseconds, or does not
 * return, is reported in the log.
 *
 * <p>Such calls enter no queue: no bound refuses them, and they may run before calls that arrived earlier, and beside
 * others. In chains and groups the method runs on a worker, one call after the other. It also runs on a worker while a
 * thread of the program does the work of the event thread. Classes with {@code @Serial} and methods with a priority
 * cannot have it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Inline {}
