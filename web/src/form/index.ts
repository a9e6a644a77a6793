/** The form engine: shows and edits the fields of a review type, and validates values as the server does. */

export {
  type ApprovalNotice,
  ApprovalNotices,
  ApprovalNoticesContext,
  type ReportedNotice,
  useApprovalGate,
  useApprovalNotice,
  useReportedNotices,
} from './approval-notices'
export { ApprovePanel } from './approve-panel'
export { Change } from './change'
export { SourceInput } from './editors/source-input'
export { getFormErrorText } from './error-text'
export { firstEditable, focusError, focusField } from './focus'
export { formatValue } from './format-value'
export { NoticeList } from './notice-list'
export { NumberInput } from './number-input'
export { ReviewForm, type ReviewFormProps } from './review-form'
export { findHiddenTargets as hiddenTargets } from './rules'
export { getFieldErrors, getFormErrors } from './server-errors'
export type {
  Field,
  FieldConfig,
  FieldError,
  FormDefinition,
  Json,
  JsonObject,
  LayoutNode,
  Media,
  Option,
  Response,
  ResponseValue,
  ResponseValues,
  Rule,
  Suggestion,
  Values,
} from './types'
export {
  applySubmission,
  checkValues,
  getEditedFields as editedFields,
  getInitialValues as initialValues,
  getResponseValues as responseValuesOf,
  getSubmission as submissionOf,
  isCorrectable,
  isEdited,
} from './values'
export { WaitingPanel } from './waiting-panel'
