import { text, type AuthMethod } from '../auth-call.ts';
import { AuthError } from '../auth-error.ts';

/** Requests a reset mail. The answer and its time are the same whether or not the address has an account. */
export const sendOobCode: AuthMethod = (body, { service, address, apiKey, pageOrigin }) => {
  const requestType = text(body, 'requestType');
  if (requestType === '') throw new AuthError('MISSING_REQ_TYPE');
  if (requestType !== 'PASSWORD_RESET') {
    const isKnown = /^(?:EMAIL_SIGNIN|VERIFY_EMAIL|VERIFY_AND_CHANGE_EMAIL)$/.test(requestType);
    throw new AuthError(isKnown ? 'OPERATION_NOT_ALLOWED' : 'INVALID_REQ_TYPE');
  }
  const continueUrl = text(body, 'continueUrl');
  const email = text(body, 'email');
  const origin = service.linkOrigin({ continueUrl, pageOrigin });
  service.passwordReset.request({ email, address, apiKey, origin, continueUrl });
  return { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email };
};

/** Sets a new password; without one, it only answers the e-mail address of the code. */
export const resetPassword: AuthMethod = async (body, { service: { passwordReset }, address }) => {
  if (body['oldPassword'] !== undefined) throw new AuthError('OPERATION_NOT_ALLOWED');
  const code = text(body, 'oobCode');
  const email =
    body['newPassword'] === undefined
      ? passwordReset.verify(code)
      : await passwordReset.confirm(code, text(body, 'newPassword'), address);
  return {
    kind: 'identitytoolkit#ResetPasswordResponse',
    email,
    requestType: 'PASSWORD_RESET',
  };
};
