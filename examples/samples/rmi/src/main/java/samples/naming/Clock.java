package samples.naming;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Calendar;
import java.util.Date;
import java.util.TimeZone;

public interface Clock extends Remote {

    Date next(Date from, int days) throws RemoteException;

    Calendar in(TimeZone zone, Date at) throws RemoteException;
}
